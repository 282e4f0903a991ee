home_x = x;
home_y = y;
phase = random(6.28);
image_speed = 0.2;
