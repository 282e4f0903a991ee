is_open = false;
image_speed = 0;
