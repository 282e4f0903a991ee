/// scr_flicker(period): around 1, as a flame burns; the period is in milliseconds
return 1 + 0.05 * sin(current_time / argument0) + 0.03 * sin(current_time / (argument0 * 0.37));
