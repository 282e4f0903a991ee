"""What is emitted for each statement and expression, by exact instructions."""

from __future__ import annotations

import pytest

from ags_scripts import Settings, body, compiled, listed
from overhaul.ags.language import ScriptError

#: A line of statements, and of declarations before the function; below it, the instructions.
CASES = """
int x = -5;
    movl ax -5; mov sp mar; memwrite4 ax; addi sp 4; movl ax 0; subi sp 4; ret

int x = eTenth;
    movl ax 10; mov sp mar; memwrite4 ax; addi sp 4; movl ax 0; subi sp 4; ret

int x = 'A';
    movl ax 65; mov sp mar; memwrite4 ax; addi sp 4; movl ax 0; subi sp 4; ret

int x = 0x1F;
    movl ax 31; mov sp mar; memwrite4 ax; addi sp 4; movl ax 0; subi sp 4; ret

float y = -2.5;
    movl ax 1075838976; movl bx 0; fsub bx ax; mov bx ax; mov sp mar; memwrite4 ax; addi
    sp 4; movl ax 0; subi sp 4; ret

bool b = !x; ~ int x;
    movl mar data+0; memread4 ax; not ax; mov sp mar; memwrite4 ax; addi sp 4; movl ax 0;
    subi sp 4; ret

x = x + x * 2 - 1; ~ int x;
    movl mar data+0; memread4 ax; push ax; movl mar data+0; memread4 ax; push ax; movl ax
    2; pop bx; mul bx ax; mov bx ax; pop bx; add bx ax; mov bx ax; push ax; movl ax 1; pop
    bx; sub bx ax; mov bx ax; movl mar data+0; memwrite4 ax

x = 7 / 2 * 3; ~ int x;
    movl ax 7; push ax; movl ax 2; push ax; movl ax 3; pop bx; mul bx ax; mov bx ax; pop
    bx; div bx ax; mov bx ax; movl mar data+0; memwrite4 ax

x = 1 - 2 - 3; ~ int x;
    movl ax 1; push ax; movl ax 2; pop bx; sub bx ax; mov bx ax; push ax; movl ax 3; pop
    bx; sub bx ax; mov bx ax; movl mar data+0; memwrite4 ax

x = -x * 2 + 1; ~ int x;
    movl mar data+0; memread4 ax; push ax; movl ax 2; pop bx; mul bx ax; mov bx ax; movl
    bx 0; sub bx ax; mov bx ax; push ax; movl ax 1; pop bx; add bx ax; mov bx ax; movl mar
    data+0; memwrite4 ax

x = 3 - -x; ~ int x;
    movl ax 3; push ax; movl mar data+0; memread4 ax; movl bx 0; sub bx ax; mov bx ax; pop
    bx; sub bx ax; mov bx ax; movl mar data+0; memwrite4 ax

x = 1 > 2 == 3; ~ int x;
    movl ax 1; push ax; movl ax 2; push ax; movl ax 3; pop bx; cmpeq bx ax; mov bx ax; pop
    bx; gt bx ax; mov bx ax; movl mar data+0; memwrite4 ax

x = y > 1.0; ~ int x; float y;
    movl mar data+4; memread4 ax; push ax; movl ax 1065353216; pop bx; fgt bx ax; mov bx
    ax; movl mar data+0; memwrite4 ax

y = y * 2.0 + 1.0; ~ float y;
    movl mar data+0; memread4 ax; push ax; movl ax 1073741824; pop bx; fmul bx ax; mov bx
    ax; push ax; movl ax 1065353216; pop bx; fadd bx ax; mov bx ax; movl mar data+0;
    memwrite4 ax

y++; ~ float y;
    movl mar data+0; memread4 ax; faddi ax 1; memwrite4 ax

c = c + 1; ~ char c;
    movl mar data+0; memread1 ax; push ax; movl ax 1; pop bx; add bx ax; mov bx ax; movl
    mar data+0; memwrite1 ax

s -= 1; ~ short s;
    movl ax 1; push ax; movl mar data+0; memread2 ax; pop bx; sub ax bx; movl mar data+0;
    memwrite2 ax

x++; ~ int x;
    movl mar data+0; memread4 ax; addi ax 1; memwrite4 ax

x--; ~ int x;
    movl mar data+0; memread4 ax; subi ax 1; memwrite4 ax

x += 2; ~ int x;
    movl ax 2; push ax; movl mar data+0; memread4 ax; pop bx; add ax bx; movl mar data+0;
    memwrite4 ax

x <<= 2; ~ int x;
    movl ax 2; push ax; movl mar data+0; memread4 ax; pop bx; shl ax bx; movl mar data+0;
    memwrite4 ax

imported = 3;
    movl ax 3; movl mar imported; memwrite4 ax

imported++;
    movl mar imported; memread4 ax; addi ax 1; memwrite4 ax

String t = "x";
    movl ax 'x'; newstring ax; mov sp mar; meminit.ptr ax; addi sp 4; movl ax 0;
    load.sp.offs 4; memwrite.ptr.0.nd; subi sp 4; ret

String t; t = "x";
    mov sp mar; zeromem 4; addi sp 4; movl ax 'x'; newstring ax; load.sp.offs 4; push mar;
    pop mar; memwrite.ptr ax; movl ax 0; load.sp.offs 4; memwrite.ptr.0.nd; subi sp 4; ret

Display("a", t); ~ String t;
    movl mar data+0; push mar; pop mar; memread.ptr ax; farpush ax; movl ax 'a'; farpush
    ax; setfuncargs 2; movl ax Display; farcall ax; farsubsp 2

Display(t); ~ String t;
    movl mar data+0; push mar; pop mar; memread.ptr ax; checknull ax; farpush ax;
    setfuncargs 1; movl ax Display; farcall ax; farsubsp 1

t = t.Append(t); ~ String t;
    push op; movl mar data+0; push mar; pop mar; memread.ptr ax; checknull ax; farpush ax;
    movl mar data+0; push mar; pop mar; memread.ptr ax; callobj ax; setfuncargs 1; movl ax
    String::Append^1; farcall ax; farsubsp 1; pop op; movl mar data+0; push mar; pop mar;
    memwrite.ptr ax

x = t.Length; ~ String t; int x;
    movl mar data+0; push mar; pop mar; memread.ptr ax; push ax; pop mar; mov mar ax; push
    op; callobj ax; setfuncargs 0; movl ax String::get_Length; farcall ax; pop op; movl
    mar data+4; memwrite4 ax

x = t.Chars[1]; ~ String t; int x;
    movl mar data+0; push mar; pop mar; memread.ptr ax; push ax; movl ax 1; mov ax dx; pop
    mar; mov mar ax; push op; callobj ax; farpush dx; setfuncargs 1; movl ax
    String::geti_Chars; farcall ax; farsubsp 1; pop op; movl mar data+4; memwrite4 ax

if (t == "a") Wait(1); ~ String t;
    movl mar data+0; push mar; pop mar; memread.ptr ax; push ax; movl ax 'a'; pop bx;
    streq bx ax; mov bx ax; jzi 14; movl ax 1; farpush ax; setfuncargs 1; movl ax Wait;
    farcall ax; farsubsp 1

if (t != null) Wait(1); ~ String t;
    movl mar data+0; push mar; pop mar; memread.ptr ax; push ax; movl ax 0; pop bx; cmpne
    bx ax; mov bx ax; jzi 14; movl ax 1; farpush ax; setfuncargs 1; movl ax Wait; farcall
    ax; farsubsp 1

return;
    (nothing)

if (x) Wait(1); ~ int x;
    movl mar data+0; memread4 ax; jzi 14; movl ax 1; farpush ax; setfuncargs 1; movl ax
    Wait; farcall ax; farsubsp 1

if (x) Wait(1); else Wait(2); ~ int x;
    movl mar data+0; memread4 ax; jzi 16; movl ax 1; farpush ax; setfuncargs 1; movl ax
    Wait; farcall ax; farsubsp 1; jmpi 14; movl ax 2; farpush ax; setfuncargs 1; movl ax
    Wait; farcall ax; farsubsp 1

if (x) Wait(1); else if (x) Wait(2); else Wait(3); ~ int x;
    movl mar data+0; memread4 ax; jzi 16; movl ax 1; farpush ax; setfuncargs 1; movl ax
    Wait; farcall ax; farsubsp 1; jmpi 37; movl mar data+0; memread4 ax; jzi 16; movl ax
    2; farpush ax; setfuncargs 1; movl ax Wait; farcall ax; farsubsp 1; jmpi 14; movl ax
    3; farpush ax; setfuncargs 1; movl ax Wait; farcall ax; farsubsp 1

while (x) x--; ~ int x;
    movl mar data+0; memread4 ax; jzi 12; movl mar data+0; memread4 ax; subi ax 1;
    memwrite4 ax; jmpi -19

do { x--; } while (x); ~ int x;
    jmpi 2; jmpi 17; movl mar data+0; memread4 ax; subi ax 1; memwrite4 ax; movl mar
    data+0; memread4 ax; jnzi -17

for (int i = 0; i < 3; i++) Wait(i);
    movl ax 0; mov sp mar; memwrite4 ax; addi sp 4; load.sp.offs 4; memread4 ax; push ax;
    movl ax 3; pop bx; lt bx ax; mov bx ax; jzi 26; load.sp.offs 4; memread4 ax; farpush
    ax; setfuncargs 1; movl ax Wait; farcall ax; farsubsp 1; load.sp.offs 4; memread4 ax;
    addi ax 1; memwrite4 ax; jmpi -45; subi sp 4

for (;;) { break; }
    movl ax 1; jzi 7; movl ax 0; jmpi -7; jmpi -12

for (x = 0; x < 3; x++) { if (x) continue; int k; break; } ~ int x;
    movl ax 0; movl mar data+0; memwrite4 ax; movl mar data+0; memread4 ax; push ax; movl
    ax 3; pop bx; lt bx ax; mov bx ax; jzi 53; movl mar data+0; memread4 ax; jzi 15; movl
    mar data+0; memread4 ax; addi ax 1; memwrite4 ax; movl ax 0; jmpi -42; mov sp mar;
    zeromem 4; addi sp 4; subi sp 4; movl ax 0; jmpi -40; subi sp 4; movl mar data+0;
    memread4 ax; addi ax 1; memwrite4 ax; jmpi -73

switch (x) { case 1: Wait(1); break; case 2: default: Wait(2); } ~ int x;
    movl mar data+0; memread4 ax; mov ax bx; jmpi 37; jmpi 61; movl ax 1; farpush ax;
    setfuncargs 1; movl ax Wait; farcall ax; farsubsp 1; movl ax 0; jmpi -21; movl ax 2;
    farpush ax; setfuncargs 1; movl ax Wait; farcall ax; farsubsp 1; jmpi 26; push bx;
    movl ax 1; pop bx; cmpne ax bx; jzi -47; push bx; movl ax 2; pop bx; cmpne ax bx; jzi
    -40; jmpi -42

switch (t) { case "a": break; } ~ String t;
    movl mar data+0; push mar; pop mar; memread.ptr ax; mov ax bx; jmpi 7; jmpi 17; movl
    ax 0; jmpi 12; push bx; movl ax 'a'; pop bx; strne ax bx; jzi -17

switch (x) { default: Wait(1); case 3: Wait(2); break; } ~ int x;
    movl mar data+0; memread4 ax; mov ax bx; jmpi 35; jmpi 47; movl ax 1; farpush ax;
    setfuncargs 1; movl ax Wait; farcall ax; farsubsp 1; movl ax 2; farpush ax;
    setfuncargs 1; movl ax Wait; farcall ax; farsubsp 1; movl ax 0; jmpi 14; push bx; movl
    ax 3; pop bx; cmpne ax bx; jzi -31; jmpi -47

while (x) { switch (x) { case 1: continue; } } ~ int x;
    movl mar data+0; memread4 ax; jzi 33; movl mar data+0; memread4 ax; mov ax bx; jmpi 9;
    jmpi 19; movl ax 0; jmpi -24; jmpi 12; push bx; movl ax 1; pop bx; cmpne ax bx; jzi
    -19; jmpi -40

while (x) { Thing *p; if (x) continue; break; } ~ int x;
    movl mar data+0; memread4 ax; jzi 45; mov sp mar; zeromem 4; addi sp 4; movl mar
    data+0; memread4 ax; jzi 11; load.sp.offs 4; memwrite.ptr.0; subi sp 4; movl ax 0;
    jmpi -33; load.sp.offs 4; memwrite.ptr.0; subi sp 4; movl ax 0; jmpi -39; load.sp.offs
    4; memwrite.ptr.0; subi sp 4; jmpi -52

switch (t) { case null: break; } ~ Thing *t;
    movl mar data+0; push mar; pop mar; memread.ptr ax; mov ax bx; jmpi 7; jmpi 17; movl
    ax 0; jmpi 12; push bx; movl ax 0; pop bx; cmpne ax bx; jzi -17

int q; while (x) { int p; if (x) continue; break; } q = 1; ~ int x;
    mov sp mar; zeromem 4; addi sp 4; movl mar data+0; memread4 ax; jzi 36; mov sp mar;
    zeromem 4; addi sp 4; movl mar data+0; memread4 ax; jzi 8; subi sp 4; movl ax 0; jmpi
    -30; subi sp 4; movl ax 0; jmpi -33; subi sp 4; jmpi -43; movl ax 1; load.sp.offs 4;
    memwrite4 ax; movl ax 0; subi sp 4; ret

{ int a; { Thing *p; String q; } }
    mov sp mar; zeromem 4; addi sp 4; mov sp mar; zeromem 4; addi sp 4; mov sp mar;
    zeromem 4; addi sp 4; load.sp.offs 8; memwrite.ptr.0; load.sp.offs 4; memwrite.ptr.0;
    subi sp 8; subi sp 4

a[1] = 5; ~ int a[3];
    movl ax 5; push ax; movl ax 1; checkbounds ax 3; muli ax 4; mov ax cx; pop ax; movl
    mar data+0; add mar cx; memwrite4 ax

x = a[x] + a[2]; ~ int a[3]; int x;
    movl mar data+12; memread4 ax; checkbounds ax 3; muli ax 4; mov ax cx; movl mar
    data+0; add mar cx; memread4 ax; push ax; movl ax 2; checkbounds ax 3; muli ax 4; mov
    ax cx; movl mar data+0; add mar cx; memread4 ax; pop bx; add bx ax; mov bx ax; movl
    mar data+12; memwrite4 ax

c[x] = 1; ~ short c[4]; int x;
    movl ax 1; push ax; movl mar data+8; memread4 ax; checkbounds ax 4; muli ax 2; mov ax
    cx; pop ax; movl mar data+0; add mar cx; memwrite2 ax

d = new int[3]; d[1] = d[2]; ~ int d[];
    movl ax 3; newarray ax 4 0; movl mar data+0; memwrite.ptr ax; movl ax 2; muli ax 4;
    mov ax cx; movl mar data+0; memread.ptr mar; checknull.ptr; dynamicbounds cx; add mar
    cx; memread4 ax; push ax; movl ax 1; muli ax 4; mov ax cx; pop ax; movl mar data+0;
    memread.ptr mar; checknull.ptr; dynamicbounds cx; add mar cx; memwrite4 ax

Thing *p[] = new Thing[3]; p[1] = p[0];
    movl ax 3; newarray ax 4 1; mov sp mar; meminit.ptr ax; addi sp 4; movl ax 0; mov ax
    dx; load.sp.offs 4; muli dx 4; memread.ptr mar; checknull.ptr; dynamicbounds dx; add
    mar dx; push mar; pop mar; memread.ptr ax; push ax; movl ax 1; mov ax dx; pop ax;
    load.sp.offs 4; muli dx 4; memread.ptr mar; checknull.ptr; dynamicbounds dx; add mar
    dx; push mar; pop mar; memwrite.ptr ax; movl ax 0; load.sp.offs 4; memwrite.ptr.0.nd;
    subi sp 4; ret

q[1] = null; ~ Thing *q[4];
    movl ax 0; push ax; movl ax 1; checkbounds ax 4; mov ax dx; pop ax; movl mar data+0;
    muli dx 4; add mar dx; push mar; pop mar; memwrite.ptr ax

q[1].x = 2; ~ Thing *q[4];
    movl ax 2; push ax; movl ax 1; checkbounds ax 4; mov ax dx; pop ax; movl mar data+0;
    muli dx 4; add mar dx; push mar; pop mar; push ax; memread.ptr ax; pop bx; push ax;
    mov bx ax; mov ax bx; pop mar; mov mar ax; push op; callobj ax; farpush bx;
    setfuncargs 1; movl ax Thing::set_x; farcall ax; farsubsp 1; pop op

oThing.Go(1);
    push op; movl ax 10; farpush ax; movl ax -1; farpush ax; movl ax 1; farpush ax; movl
    mar oThing; mov mar ax; callobj ax; setfuncargs 3; movl ax Thing::Go^3; farcall ax;
    farsubsp 3; pop op

oThing.Go(1, 2, eFirst);
    push op; movl ax 1; farpush ax; movl ax 2; farpush ax; movl ax 1; farpush ax; movl mar
    oThing; mov mar ax; callobj ax; setfuncargs 3; movl ax Thing::Go^3; farcall ax;
    farsubsp 3; pop op

thing[2].Go(3);
    push op; movl ax 10; farpush ax; movl ax -1; farpush ax; movl ax 3; farpush ax; movl
    ax 2; checkbounds ax 5; muli ax 12; mov ax cx; movl mar thing; add mar cx; mov mar ax;
    callobj ax; setfuncargs 3; movl ax Thing::Go^3; farcall ax; farsubsp 3; pop op

oThing.x = 1;
    movl ax 1; mov ax bx; movl mar oThing; mov mar ax; push op; callobj ax; farpush bx;
    setfuncargs 1; movl ax Thing::set_x; farcall ax; farsubsp 1; pop op

oThing.x += 1;
    movl ax 1; push ax; movl mar oThing; mov mar ax; push op; callobj ax; setfuncargs 0;
    movl ax Thing::get_x; farcall ax; pop op; pop bx; add ax bx; mov ax bx; movl mar
    oThing; mov mar ax; push op; callobj ax; farpush bx; setfuncargs 1; movl ax
    Thing::set_x; farcall ax; farsubsp 1; pop op

oThing.x++;
    movl mar oThing; mov mar ax; push op; callobj ax; setfuncargs 0; movl ax Thing::get_x;
    farcall ax; pop op; addi ax 1; mov ax bx; movl mar oThing; mov mar ax; push op;
    callobj ax; farpush bx; setfuncargs 1; movl ax Thing::set_x; farcall ax; farsubsp 1;
    pop op

oThing.Values[1] = oThing.Values[2];
    movl ax 2; mov ax dx; movl mar oThing; mov mar ax; push op; callobj ax; farpush dx;
    setfuncargs 1; movl ax Thing::geti_Values; farcall ax; farsubsp 1; pop op; push ax;
    movl ax 1; mov ax dx; pop ax; mov ax bx; movl mar oThing; mov mar ax; push op; callobj
    ax; farpush bx; farpush dx; setfuncargs 2; movl ax Thing::seti_Values; farcall ax;
    farsubsp 2; pop op

oThing.Next.Next.x = 4;
    movl ax 4; mov ax bx; push ax; movl mar oThing; mov mar ax; push op; callobj ax;
    setfuncargs 0; movl ax Thing::get_Next; farcall ax; pop op; pop bx; push ax; mov bx
    ax; mov ax bx; pop mar; push ax; mov mar ax; push op; callobj ax; setfuncargs 0; movl
    ax Thing::get_Next; farcall ax; pop op; pop bx; push ax; mov bx ax; mov ax bx; pop
    mar; mov mar ax; push op; callobj ax; farpush bx; setfuncargs 1; movl ax Thing::set_x;
    farcall ax; farsubsp 1; pop op

x = oThing.Next.plain; ~ int x;
    movl mar oThing; mov mar ax; push op; callobj ax; setfuncargs 0; movl ax
    Thing::get_Next; farcall ax; pop op; push ax; pop mar; checknull.ptr; memread4 ax;
    movl mar data+0; memwrite4 ax

oThing.Next.half[1] = 4;
    movl ax 4; mov ax bx; push ax; movl mar oThing; mov mar ax; push op; callobj ax;
    setfuncargs 0; movl ax Thing::get_Next; farcall ax; pop op; pop bx; push ax; mov bx
    ax; push ax; movl ax 1; checkbounds ax 3; muli ax 2; mov ax cx; pop ax; pop mar;
    checknull.ptr; addi mar 4; add mar cx; memwrite2 ax

pointed.plain = 3;
    movl ax 3; movl mar pointed; push mar; pop mar; push ax; memread.ptr ax; pop bx; push
    ax; mov bx ax; pop mar; checknull.ptr; memwrite4 ax

pointed.plain++;
    movl mar pointed; push mar; pop mar; memread.ptr ax; push ax; pop mar; checknull.ptr;
    memread4 ax; addi ax 1; memwrite4 ax

pointed = oThing.Next;
    movl mar oThing; mov mar ax; push op; callobj ax; setfuncargs 0; movl ax
    Thing::get_Next; farcall ax; pop op; movl mar pointed; push mar; pop mar; memwrite.ptr
    ax

Thing.Count = Thing.Count + 1;
    movl ax 0; setfuncargs 0; movl ax Thing::get_Count; farcall ax; push ax; movl ax 1;
    pop bx; add bx ax; mov bx ax; mov ax bx; movl ax 0; farpush bx; setfuncargs 1; movl ax
    Thing::set_Count; farcall ax; farsubsp 1

Thing *p = Thing.Find(2);
    movl ax 2; farpush ax; setfuncargs 1; movl ax Thing::Find^1; farcall ax; farsubsp 1;
    mov sp mar; meminit.ptr ax; addi sp 4; movl ax 0; load.sp.offs 4; memwrite.ptr.0.nd;
    subi sp 4; ret

p.x = 1; ~ Thing *p;
    movl ax 1; movl mar data+0; push mar; pop mar; push ax; memread.ptr ax; pop bx; push
    ax; mov bx ax; mov ax bx; pop mar; mov mar ax; push op; callobj ax; farpush bx;
    setfuncargs 1; movl ax Thing::set_x; farcall ax; farsubsp 1; pop op

s.a = 1; s.c[1] = 2; s.b = s.a; ~ struct S { char a; int b; short c[3]; }; S s;
    movl ax 1; movl mar data+0; memwrite1 ax; movl ax 2; push ax; movl ax 1; checkbounds
    ax 3; muli ax 2; mov ax cx; pop ax; movl mar data+5; add mar cx; memwrite2 ax; movl
    mar data+0; memread1 ax; movl mar data+1; memwrite4 ax

r[1].b = r[0].a; ~ struct S { char a; int b; }; S r[3];
    movl ax 0; checkbounds ax 3; muli ax 8; mov ax cx; movl mar data+0; add mar cx;
    memread1 ax; push ax; movl ax 1; checkbounds ax 3; muli ax 8; mov ax cx; pop ax; movl
    mar data+1; add mar cx; memwrite4 ax

r[1].c[2] = 4; ~ struct S { int b; short c[3]; }; S r[3];
    movl ax 4; push ax; movl ax 1; checkbounds ax 3; muli ax 12; mov ax cx; pop ax; push
    ax; push cx; movl ax 2; checkbounds ax 3; muli ax 2; pop cx; add cx ax; pop ax; movl
    mar data+4; add mar cx; memwrite2 ax

S s; s.p = null; ~ struct S { int b; Thing *p; Thing *q[2]; };
    mov sp mar; zeromem 16; addi sp 16; movl ax 0; load.sp.offs 12; push mar; pop mar;
    memwrite.ptr ax; movl ax 0; load.sp.offs 12; memwrite.ptr.0; load.sp.offs 8;
    memwrite.ptr.0; addi mar 4; memwrite.ptr.0; subi sp 16; ret

S s[2]; ~ struct S { int b; Thing *p; };
    mov sp mar; zeromem 16; addi sp 16; movl ax 0; load.sp.offs 12; memwrite.ptr.0;
    load.sp.offs 4; memwrite.ptr.0; subi sp 16; ret

S *m = new S; m.b = 4; ~ managed struct S { int b; };
    newuserobject ax 4; mov sp mar; meminit.ptr ax; addi sp 4; movl ax 4; load.sp.offs 4;
    push mar; pop mar; push ax; memread.ptr ax; pop bx; push ax; mov bx ax; pop mar;
    checknull.ptr; memwrite4 ax; movl ax 0; load.sp.offs 4; memwrite.ptr.0.nd; subi sp 4;
    ret

g(1, 2); ~ int g(int a, int b) { return a - b; }
    movl ax 2; push ax; movl ax 1; push ax; movl ax code+0; call ax; subi sp 8

g(); ~ int g(int a = 4, float b = 1.5) { return a; }
    movl ax 1069547520; push ax; movl ax 4; push ax; movl ax code+0; call ax; subi sp 8

char buffer[20]; Display(buffer);
    mov sp mar; zeromem 20; addi sp 20; load.sp.offs 20; mov mar ax; farpush ax;
    setfuncargs 1; movl ax Display; farcall ax; farsubsp 1; movl ax 0; subi sp 20; ret

int a, b = 2;
    mov sp mar; zeromem 4; addi sp 4; movl ax 2; mov sp mar; memwrite4 ax; addi sp 4; movl
    ax 0; subi sp 8; ret

Thing *a[3];
    mov sp mar; zeromem 12; addi sp 12; movl ax 0; load.sp.offs 12; memwrite.ptr.0.nd;
    addi mar 4; memwrite.ptr.0.nd; addi mar 4; memwrite.ptr.0.nd; subi sp 12; ret

x = x && x; ~ int x;
    movl mar data+0; memread4 ax; jzi 15; push ax; movl mar data+0; memread4 ax; pop bx;
    land bx ax; mov bx ax; movl mar data+0; memwrite4 ax

x = 1 || x && 2; ~ int x;
    movl ax 1; jnzi 30; push ax; movl mar data+0; memread4 ax; jzi 13; push ax; movl ax 2;
    pop bx; land bx ax; mov bx ax; pop bx; lor bx ax; mov bx ax; movl mar data+0;
    memwrite4 ax
"""

#: The same in a game without LeftToRightPrecedence.
RIGHT_TO_LEFT = """
x = 1 - 2 - 3; ~ int x;
    movl ax 1; push ax; movl ax 2; push ax; movl ax 3; pop bx; sub bx ax; mov bx ax; pop
    bx; sub bx ax; mov bx ax; movl mar data+0; memwrite4 ax

x = -x + 1; ~ int x;
    movl mar data+0; memread4 ax; push ax; movl ax 1; pop bx; add bx ax; mov bx ax; movl
    bx 0; sub bx ax; mov bx ax; movl mar data+0; memwrite4 ax

x = -5 + 1; ~ int x;
    movl ax -5; push ax; movl ax 1; pop bx; add bx ax; mov bx ax; movl mar data+0;
    memwrite4 ax

x = x * 2 - 1; ~ int x;
    movl mar data+0; memread4 ax; push ax; movl ax 2; pop bx; mul bx ax; mov bx ax; push
    ax; movl ax 1; pop bx; sub bx ax; mov bx ax; movl mar data+0; memwrite4 ax
"""

#: The same in an editor before 3.3.5.2.
OLD = """
int x = -5;
    movl ax 5; movl bx 0; sub bx ax; mov bx ax; mov sp mar; memwrite4 ax; addi sp 4; movl
    ax 0; subi sp 4; ret

x = -x; ~ int x;
    movl mar data+0; memread4 ax; movl bx 0; sub bx ax; mov bx ax; movl mar data+0;
    memwrite4 ax

Wait(-1);
    movl ax 1; movl bx 0; sub bx ax; mov bx ax; farpush ax; setfuncargs 1; movl ax Wait;
    farcall ax; farsubsp 1

oThing.Go(1);
    push op; movl ax 10; farpush ax; movl ax -1; farpush ax; movl ax 1; farpush ax; movl
    mar oThing; mov mar ax; callobj ax; setfuncargs 3; movl ax Thing::Go^3; farcall ax;
    farsubsp 3; pop op

x = x - 1; ~ int x;
    movl mar data+0; memread4 ax; push ax; movl ax 1; pop bx; sub bx ax; mov bx ax; movl
    mar data+0; memwrite4 ax
"""

#: With strings of the old kind.
OLD_STRINGS = """
string s; StrCopy(s, "a"); ~ import void StrCopy(string to, const string from);
    mov sp cx; addi sp 200; mov sp mar; memwrite4 cx; addi sp 4; movl ax 'a'; farpush ax;
    load.sp.offs 4; memread4 ax; farpush ax; setfuncargs 2; movl ax StrCopy; farcall ax;
    farsubsp 2; movl ax 0; subi sp 204; ret

StrCopy(s, s); ~ import void StrCopy(string to, const string from); string s;
    movl mar data+200; memread4 ax; farpush ax; movl mar data+200; memread4 ax; farpush
    ax; setfuncargs 2; movl ax StrCopy; farcall ax; farsubsp 2
"""


def cases(text: str) -> list[tuple[str, str, str]]:
    """(statements, declarations, instructions) of each case."""
    result = []
    for block in text.strip().split("\n\n"):
        head, *lines = block.split("\n")
        statements, _, before = head.partition(" ~ ")
        code = " ".join(line.strip() for line in lines)
        result.append((statements, before, "" if code == "(nothing)" else code))
    return result


@pytest.mark.parametrize(("statements", "before", "expected"), cases(CASES))
def test_code(statements: str, before: str, expected: str) -> None:
    assert body(statements, before) == expected


@pytest.mark.parametrize(("statements", "before", "expected"), cases(RIGHT_TO_LEFT))
def test_equal_operators_group_to_the_right(statements: str, before: str, expected: str) -> None:
    assert body(statements, before, settings=Settings(left_to_right=False)) == expected


@pytest.mark.parametrize(("statements", "before", "expected"), cases(OLD))
def test_negative_literals_are_worked_out_in_old_versions(
    statements: str, before: str, expected: str
) -> None:
    assert body(statements, before, editor=(3, 2, 1, 0)) == expected


@pytest.mark.parametrize(("statements", "before", "expected"), cases(OLD_STRINGS))
def test_old_strings(statements: str, before: str, expected: str) -> None:
    assert body(statements, before, settings=Settings(old_strings=True)) == expected


def test_a_function_has_its_base_and_returns_0() -> None:
    source = """\
int x;

function f()
{
  x = 1;
}
"""
    assert (
        listed(source)
        == """\
sourceline 4
thisaddr 0
sourceline 5
movl ax 1
movl mar data+0
memwrite4 ax
sourceline 6
movl ax 0
ret"""
    )


def test_pointers_as_parameters_are_counted_and_released() -> None:
    source = """\
void f(Thing *t, int n, String s)
{
  String q;
}
"""
    assert (
        listed(source)
        == """\
sourceline 2
thisaddr 0
load.sp.offs 8
memread4 ax
meminit.ptr ax
load.sp.offs 16
memread4 ax
meminit.ptr ax
sourceline 3
mov sp mar
zeromem 4
addi sp 4
sourceline 4
movl ax 0
load.sp.offs 12
memwrite.ptr.0.nd
load.sp.offs 20
memwrite.ptr.0.nd
load.sp.offs 4
memwrite.ptr.0.nd
subi sp 4
ret"""
    )


def test_default_values_of_all_kinds() -> None:
    before = (
        "import void g(int a = -2, float b = -0.5, Mode c = eTenth, int d[] = 0, String e = 0);"
    )
    assert body("g();", before) == (
        "movl ax 0; farpush ax; movl ax 0; farpush ax; movl ax 10; farpush ax;"
        " movl ax -1090519040; farpush ax; movl ax -2; farpush ax; setfuncargs 5; movl ax g;"
        " farcall ax; farsubsp 5"
    )


def test_a_function_of_a_struct_has_this() -> None:
    source = """\
struct S { int a; import void set(int value); };
S s;
void noloopcheck S::set(int value) { this.a = value; }
void f() { s.set(3); }
"""
    assert (
        listed(source)
        == """\
sourceline 3
thisaddr 0
loopcheckoff
mov sp mar
memwritelit 4 0
addi sp 4
load.sp.offs 12
memread4 ax
push op
pop mar
checknull.ptr
memwrite4 ax
movl ax 0
subi sp 4
ret
sourceline 4
thisaddr 32
push op
movl ax 3
push ax
movl mar data+0
mov mar ax
callobj ax
movl ax code+0
call ax
subi sp 4
pop op
movl ax 0
ret"""
    )


def test_an_extender_has_this() -> None:
    source = """\
int f(this Thing*, int n) { return this.x + this.plain + n; }
void g(static Thing) { pointed.f(2); Thing.g(); }
"""
    assert (
        listed(source)
        == """\
sourceline 1
thisaddr 0
mov sp mar
memwritelit 4 0
addi sp 4
push op
pop mar
mov mar ax
push op
callobj ax
setfuncargs 0
movl ax Thing::get_x
farcall ax
pop op
push ax
push op
pop mar
checknull.ptr
memread4 ax
pop bx
add bx ax
mov bx ax
push ax
load.sp.offs 16
memread4 ax
pop bx
add bx ax
mov bx ax
subi sp 4
ret
movl ax 0
subi sp 4
ret
sourceline 2
thisaddr 75
push op
movl ax 2
push ax
movl mar pointed
push mar
pop mar
memread.ptr ax
callobj ax
movl ax code+0
call ax
subi sp 4
pop op
movl ax code+75
call ax
movl ax 0
ret"""
    )


def test_line_numbers_stand_where_a_statement_begins_on_another_line() -> None:
    source = """\
void f()
{
  int a = 1; int b = 2;
  if (a)
    Wait(1);
  Wait(2);
  if (b)
  {
    Wait(3);
  }
  else
    Wait(4);
  Display("a",
    a); Wait(5);
  oThing.Go(1,
    2); Wait(6);
}
"""
    assert (
        listed(source)
        == """\
sourceline 2
thisaddr 0
sourceline 3
movl ax 1
mov sp mar
memwrite4 ax
addi sp 4
movl ax 2
mov sp mar
memwrite4 ax
addi sp 4
sourceline 4
load.sp.offs 8
memread4 ax
jzi 14
movl ax 1
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
sourceline 6
movl ax 2
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
sourceline 7
load.sp.offs 4
memread4 ax
jzi 20
sourceline 9
movl ax 3
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
sourceline 10
jmpi 16
sourceline 12
movl ax 4
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
sourceline 13
load.sp.offs 8
memread4 ax
farpush ax
movl ax 'a'
farpush ax
setfuncargs 2
movl ax Display
farcall ax
farsubsp 2
movl ax 5
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
sourceline 15
push op
movl ax 10
farpush ax
movl ax 2
farpush ax
movl ax 1
farpush ax
movl mar oThing
mov mar ax
callobj ax
setfuncargs 3
movl ax Thing::Go^3
farcall ax
farsubsp 3
pop op
sourceline 16
movl ax 6
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
sourceline 17
movl ax 0
subi sp 8
ret"""
    )


def test_the_increment_of_a_for_loop_has_no_line() -> None:
    source = """\
void f()
{
  for (int i = 0;
    i < 2;
    i++)
  {
    Wait(1);
  }
  while (1)
    Wait(2);
  do
    Wait(3);
  while (0);
}
"""
    assert (
        listed(source)
        == """\
sourceline 2
thisaddr 0
sourceline 3
movl ax 0
mov sp mar
memwrite4 ax
addi sp 4
load.sp.offs 4
memread4 ax
push ax
movl ax 2
pop bx
lt bx ax
mov bx ax
jzi 29
sourceline 7
movl ax 1
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
sourceline 8
load.sp.offs 4
memread4 ax
addi ax 1
memwrite4 ax
jmpi -48
subi sp 4
sourceline 9
movl ax 1
jzi 16
movl ax 2
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
jmpi -23
sourceline 11
jmpi 2
jmpi 21
sourceline 12
movl ax 3
farpush ax
setfuncargs 1
movl ax Wait
farcall ax
farsubsp 1
movl ax 0
jnzi -21
sourceline 14
movl ax 0
ret"""
    )


def test_a_prototype_on_several_lines_moves_on_the_line() -> None:
    assert listed("import void g(int a,\n  int b); int f() { return 1; }").startswith(
        "sourceline 2\nthisaddr 0\nmovl ax 1\nret"
    )


@pytest.mark.parametrize(
    ("before", "places"),
    [
        ("void g(int j) { int k; j = 1; k = 1; j = 2; }", [4, 8]),
        ("void g(int k) { int j; k = 1; j = 1; k = 2; }", [8, 4]),
        ("void g(int n) { int j; int k; k = j; j = k; }", [4, 8]),
    ],
)
def test_pointers_are_released_as_their_names_were_first_seen(
    before: str, places: list[int]
) -> None:
    code = body("Thing *k; Thing *j;", before)
    released = [f"load.sp.offs {place}; memwrite.ptr.0.nd;" for place in places]
    assert code.endswith(f"movl ax 0; {' '.join(released)} subi sp 8; ret")


def test_dynamic_arrays_have_their_length_since_3_6_2_3() -> None:
    assert body("n = a.Length;", "int a[]; int n;", (3, 6, 2, 3)) == (
        "movl mar data+0; memread.ptr ax; push ax; pop mar; mov mar ax; push op; callobj ax;"
        " setfuncargs 0; movl ax __Builtin_DynamicArray::get_Length; farcall ax; pop op;"
        " movl mar data+4; memwrite4 ax"
    )
    for statement, editor, message in [
        ("n = a.Length;", (3, 6, 2, 2), "arrays have no Length in this version"),
        ("a.Length = 2;", (3, 6, 2, 3), "'Length' is readonly"),
        ("n = b.Length;", (3, 6, 2, 3), "expected an index before"),
    ]:
        with pytest.raises(ScriptError, match=message):
            body(statement, "int a[]; int n; int b[3];", editor)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("struct S { import static\nint f(); };\nstatic\nint S::f() { return 3; }", 4),
        ("const\nString f() { return null; }", 2),
        ("int\nf() { return 1; }", 2),
        ("import\nint k(); int f() { return 1; }", 2),
    ],
)
def test_a_function_begins_on_the_line_of_its_name(text: str, line: int) -> None:
    assert listed(text).startswith(f"sourceline {line}\nthisaddr 0\nmovl ax")


def test_an_if_on_the_line_below_else_has_its_line() -> None:
    lines = listed("void f(int a) {\n  if (a) Wait(1);\n  else\n  if (a) Wait(2);\n}").split("\n")
    assert [line for line in lines if "line" in line] == [
        "sourceline 1",
        "sourceline 2",
        "sourceline 4",
        "sourceline 5",
    ]
    assert lines[lines.index("sourceline 4") - 1] == "jmpi 22"


def test_imports_and_variables_may_be_large() -> None:
    """The official compiler takes 33 MB of structs, imported or not: 3.5.0.30."""
    struct = "struct MapData { int tiles[2100000]; char more[17]; };\n"
    script = compiled("int at() { return map[3].tiles[2]; }", struct + "import MapData map[4];")
    assert "map" in script.imports and script.global_data == b""
    made = compiled("MapData map[4];\nexport map;\nint after = 7;", struct)
    assert len(made.global_data) == 4 * (2100000 * 4 + 20) + 4
    assert made.global_data[-4:] == b"\7\0\0\0"
