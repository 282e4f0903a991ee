"""The stack machine: instructions become expressions and simple statements."""
