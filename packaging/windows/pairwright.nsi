; The installer for Windows: for the user alone, without administrator's rights. make_installer.py runs it with
;   VERSION, NUMBERS (four, with dots), BUNDLE (the folder of PyInstaller), ICONS (of packaging/icons), OUT
; Only files of the program are removed, also by an update: the folder may hold a user's own.

Unicode true
ManifestDPIAware true
ManifestSupportedOS Win10
SetCompressor /SOLID lzma
RequestExecutionLevel user

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"

!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Pairwright"
!define CLASSES "Software\Classes"
!define PROGRAM_ID "Pairwright.Project"

Name "Pairwright"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Pairwright"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
BrandingText "Pairwright ${VERSION}"
VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "Pairwright"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Pairwright installer"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "CompanyName" "The Pairwright contributors"
VIAddVersionKey "LegalCopyright" "MIT License"

!define MUI_ICON "${ICONS}\pairwright.ico"
!define MUI_UNICON "${ICONS}\pairwright.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${ICONS}\installer.bmp"
!define MUI_FINISHPAGE_RUN "$INSTDIR\pairwright.exe"
!define MUI_UNCONFIRMPAGE_TEXT_TOP "Pairwright will be removed. Your projects, models and settings stay where they are."
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; A program that runs cannot be opened for writing.
!macro StopWhileRunning
  ${If} ${FileExists} "$INSTDIR\pairwright.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\pairwright.exe" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION "Pairwright is running. Close it, then try again." /SD IDOK
      SetErrorLevel 1
      Abort "Pairwright is running."
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

!macro RemoveProgram
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\pairwright*.exe"
  Delete "$INSTDIR\project.ico"
  Delete "$INSTDIR\INSTALLED-BY"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\THIRD-PARTY-LICENSES.txt"
!macroend

Section "Pairwright"
  !insertmacro StopWhileRunning
  !insertmacro RemoveProgram
  ClearErrors
  SetOutPath "$INSTDIR"
  File /r "${BUNDLE}\*"
  File "${ICONS}\project.ico"
  FileOpen $0 "$INSTDIR\INSTALLED-BY" w
  FileWrite $0 "windows"
  FileClose $0
  ${If} ${Errors}
    SetErrorLevel 1
    Abort "Not all files could be written. Free some space, then try again."
  ${EndIf}
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Pairwright.lnk" "$INSTDIR\pairwright.exe"

  WriteRegStr HKCU "${CLASSES}\.pairwright" "" "${PROGRAM_ID}"
  WriteRegStr HKCU "${CLASSES}\.pairwright" "Content Type" "application/x-pairwright-project"
  WriteRegStr HKCU "${CLASSES}\.pairwright\OpenWithProgids" "${PROGRAM_ID}" ""
  WriteRegStr HKCU "${CLASSES}\${PROGRAM_ID}" "" "Pairwright project"
  WriteRegStr HKCU "${CLASSES}\${PROGRAM_ID}\DefaultIcon" "" "$INSTDIR\project.ico"
  WriteRegStr HKCU "${CLASSES}\${PROGRAM_ID}\shell\open\command" "" '"$INSTDIR\pairwright.exe" "%1"'

  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "Pairwright"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "The Pairwright contributors"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\pairwright.exe"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" $0
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  ${RefreshShellIcons}
SectionEnd

Section "Uninstall"
  !insertmacro StopWhileRunning
  !insertmacro RemoveProgram
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; only if it is empty
  Delete "$SMPROGRAMS\Pairwright.lnk"
  ReadRegStr $0 HKCU "${CLASSES}\.pairwright" ""
  ${If} $0 == "${PROGRAM_ID}"
    DeleteRegValue HKCU "${CLASSES}\.pairwright" ""
  ${EndIf}
  DeleteRegValue HKCU "${CLASSES}\.pairwright" "Content Type"
  DeleteRegValue HKCU "${CLASSES}\.pairwright\OpenWithProgids" "${PROGRAM_ID}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.pairwright\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.pairwright"
  DeleteRegKey HKCU "${CLASSES}\${PROGRAM_ID}"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  ${RefreshShellIcons}
SectionEnd
