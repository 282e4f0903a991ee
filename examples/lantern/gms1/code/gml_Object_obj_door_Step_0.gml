if (!is_open && !instance_exists(obj_firefly))
{
    is_open = true;
    image_index = 1;
    audio_play_sound(snd_door, 1, false);
}
