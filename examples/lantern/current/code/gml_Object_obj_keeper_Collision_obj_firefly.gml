caught += 1;
light = min(2, light + 0.35);
audio_play_sound(snd_catch, 1, false);
with (other)
{
    instance_destroy();
}
