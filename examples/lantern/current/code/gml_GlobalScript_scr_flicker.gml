/// Around 1, as a flame burns; the period is in milliseconds.
function scr_flicker(period)
{
    return 1 + 0.05 * sin(current_time / period) + 0.03 * sin(current_time / (period * 0.37));
}
