phase += 0.05;
x = home_x + 6 * sin(phase);
y = home_y + 4 * cos(phase * 1.3);
