"""A small project of the editor of Adventure Game Studio, with scripts."""

from __future__ import annotations

from pathlib import Path

EDITOR = "3.5.0.27"
PROJECT = """<?xml version="1.0" encoding="{encoding}"?>
<!--DO NOT EDIT-->
<AGSEditorDocument Version="3.0.3.2" VersionIndex="26" EditorVersion="{editor}">
  <Game>
    <Settings>
      <DebugMode>False</DebugMode>
      <EnforceObjectBasedScript>True</EnforceObjectBasedScript>
      <EnforceNewStrings>True</EnforceNewStrings>
      <EnforceNewAudio>True</EnforceNewAudio>
      <LeftToRightPrecedence>True</LeftToRightPrecedence>
      <ScriptAPIVersion>Highest</ScriptAPIVersion>
      <ScriptCompatLevel>v340</ScriptCompatLevel>
      <DialogScriptSayFunction>{say}</DialogScriptSayFunction>
    </Settings>
    <Plugins />
    <GUIs><GUIFolder Name="Main"><SubFolders /><GUIs>
      <GUIMain><NormalGUI><Name>gPanel</Name><ID>1</ID></NormalGUI>
        <Controls><GUIButton><Name>btnOk</Name></GUIButton><GUILabel><Name /></GUILabel>
          <GUIInventory><Name>invMain</Name></GUIInventory></Controls></GUIMain>
      <GUIMain><TextWindowGUI><Name>Window</Name><ID>0</ID></TextWindowGUI>
        <Controls><GUITextWindowEdge><Name /></GUITextWindowEdge></Controls></GUIMain>
    </GUIs></GUIFolder></GUIs>
    <InventoryItems><InventoryItemFolder Name="Main"><SubFolders /><InventoryItems>
      <InventoryItem><ID>2</ID><Name>iKey</Name></InventoryItem>
      <InventoryItem><ID>1</ID><Name /></InventoryItem>
    </InventoryItems></InventoryItemFolder></InventoryItems>
    <Characters><CharacterFolder Name="Main"><SubFolders>
      <CharacterFolder Name="More"><SubFolders /><Characters>
        <Character><ID>1</ID><ScriptName>cBear</ScriptName></Character>
      </Characters></CharacterFolder></SubFolders><Characters>
      <Character><ID>0</ID><ScriptName>cEgo</ScriptName></Character>
      <Character><ID>2</ID><ScriptName>c9</ScriptName></Character>
    </Characters></CharacterFolder></Characters>
    <Dialogs><DialogFolder Name="Main"><SubFolders /><Dialogs>
      <Dialog><ID>0</ID><Name>dTalk</Name><Script><![CDATA[{dialog}]]></Script>
        <DialogOptions><DialogOption><ID>1</ID></DialogOption>
        <DialogOption><ID>2</ID></DialogOption></DialogOptions></Dialog>
    </Dialogs></DialogFolder></Dialogs>
    <Cursors><MouseCursor><ID>0</ID><Name>Walk to</Name></MouseCursor>
      <MouseCursor><ID>1</ID><Name /></MouseCursor></Cursors>
    <Fonts><Font><ID>0</ID><Name>Font 0</Name></Font></Fonts>
    <GlobalVariables><Variables>
      <GlobalVariable><Name>count</Name><Type>int</Type><DefaultValue>-3</DefaultValue>
      </GlobalVariable>
      <GlobalVariable><Name>title</Name><Type>String</Type><DefaultValue>a "b"</DefaultValue>
      </GlobalVariable>
      <GlobalVariable><Name>who</Name><Type>Character*</Type><DefaultValue /></GlobalVariable>
    </Variables></GlobalVariables>
    <Views><ViewFolder Name="D"><SubFolders /><Views>
      <View><ID>4</ID><Name>vWalk</Name></View></Views></ViewFolder></Views>
    <Scripts><ScriptFolder Name="Main"><SubFolders /><ScriptAndHeaders>
      <ScriptAndHeader><ScriptAndHeader_Header><Script><FileName>Module.ash</FileName>
        <IsHeader>True</IsHeader></Script></ScriptAndHeader_Header>
        <ScriptAndHeader_Script><Script><FileName>Module.asc</FileName>
        <IsHeader>False</IsHeader></Script></ScriptAndHeader_Script></ScriptAndHeader>
      <ScriptAndHeader><ScriptAndHeader_Header><Script><FileName>GlobalScript.ash</FileName>
        <IsHeader>True</IsHeader></Script></ScriptAndHeader_Header>
        <ScriptAndHeader_Script><Script><FileName>GlobalScript.asc</FileName>
        <IsHeader>False</IsHeader></Script></ScriptAndHeader_Script></ScriptAndHeader>
    </ScriptAndHeaders></ScriptFolder></Scripts>
    <AudioClips><AudioClipFolder Name="Main"><SubFolders /><AudioClips>
      <AudioClip><ScriptName>aMusic</ScriptName><Index>1</Index></AudioClip></AudioClips>
    </AudioClipFolder></AudioClips>
    <AudioClipTypes><AudioClipType><TypeID>1</TypeID><Name>Ambient Sound</Name></AudioClipType>
    </AudioClipTypes>
  </Game>
</AGSEditorDocument>
"""
DIALOG = """// the dialog
@S
ego: He said "hi"  // aside
player:
narrator: 3: 2: 1
@1
  this.SetOptionState(1, eOptionOff); if (this == dTalk) { Display("this"); }

option-off-forever 2
return
not said
@2
add-inv 1
cBear: B\u00e4r
goto-dialog dtalk
"""


def project_text(
    encoding: str = "Windows-1252", editor: str = EDITOR, say: str = "", dialog: str = DIALOG
) -> bytes:
    """A Game.agf."""
    text = PROJECT.format(encoding=encoding, editor=editor, say=say, dialog=dialog)
    return text.encode(encoding)


def make_project(folder: Path) -> Path:
    """Write a project into a folder; returns the folder."""
    (folder / "Game.agf").write_bytes(project_text())
    (folder / "Module.ash").write_text("import int module(int a);\n")
    (folder / "Module.asc").write_text("int module(int a) { return a; }\n")
    (folder / "globalscript.ash").write_text("#define SHOUT Display\n")
    (folder / "GlobalScript.asc").write_text(
        'function game_start() { SHOUT(title); cEgo.Say(String.Format("%d", module(count))); }\n'
    )
    return folder
