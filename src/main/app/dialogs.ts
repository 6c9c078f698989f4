import path from 'node:path'
import { app, dialog } from 'electron'

/** Asks for the folder of a home; undefined when the dialog was cancelled. */
export async function askForHome(): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Open a chibi home',
    buttonLabel: 'Open',
    properties: ['openDirectory', 'createDirectory', 'showHiddenFiles'],
  })
  return filePaths[0]
}

/** Asks for a place to save to; the system's dialog warns before a file is replaced. Undefined when it was cancelled. */
export async function askWhereToSave(
  name: string,
  label: string,
  extension: string,
): Promise<string | undefined> {
  const { canceled, filePath } = await dialog.showSaveDialog({
    title: 'Export the conversation',
    defaultPath: path.join(app.getPath('documents'), name),
    filters: [{ name: label, extensions: [extension] }],
  })
  return canceled || filePath === undefined || filePath === '' ? undefined : filePath
}

/** Asks for a folder or a file of another system; undefined when the dialog was cancelled. */
export async function askForSource(kind: 'folder' | 'file'): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: kind === 'folder' ? 'Add a folder of conversations' : 'Add a file of conversations',
    buttonLabel: 'Add',
    properties: [kind === 'folder' ? 'openDirectory' : 'openFile', 'showHiddenFiles'],
  })
  return filePaths[0]
}
