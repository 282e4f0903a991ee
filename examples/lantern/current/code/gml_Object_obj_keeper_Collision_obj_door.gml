if (other.is_open)
{
    room_goto_next();
}
