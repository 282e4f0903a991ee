walk_speed = 1.5;
light = 0.9;
caught = 0;
image_speed = 0.1;
