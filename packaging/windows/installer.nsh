; “Open with” offers Skein for these files, and it is the default program of none: electron-builder's own
; fileAssociations would take them from the program that has them.
!define OPEN_WITH "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"

!macro customInstall
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}" "FriendlyAppName" "Skein"
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".jsonl" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".ndjson" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".json" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\SupportedTypes" ".zip" ""
  WriteRegStr SHELL_CONTEXT "${OPEN_WITH}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "${OPEN_WITH}"
!macroend
