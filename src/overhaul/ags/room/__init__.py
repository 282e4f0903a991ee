"""Rooms (.crm): their blocks, pictures, masks and script."""
