import path from 'node:path'
import { app, dialog, type MessageBoxOptions } from 'electron'
import { appWindows, focusedAppWindow } from './windows'

/** Asks for the folder of a home; undefined when the dialog was cancelled. */
export async function askForHome(): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Open a chibi home',
    buttonLabel: 'Open',
    properties: ['openDirectory', 'createDirectory', 'showHiddenFiles'],
  })
  return filePaths[0]
}

/**
 * Asks for a place to save to; the system's dialog warns before a file is replaced. Undefined when it was cancelled.
 */
export async function askWhereToSave(
  name: string,
  {
    label,
    extension,
    title,
  }: { readonly label: string; readonly extension: string; readonly title: string },
): Promise<string | undefined> {
  const { canceled, filePath } = await dialog.showSaveDialog({
    title,
    defaultPath: path.join(app.getPath('documents'), name),
    filters: [{ name: label, extensions: [extension] }],
    // On Linux it does not ask by itself.
    properties: ['showOverwriteConfirmation', 'createDirectory'],
  })
  return canceled || filePath === undefined || filePath === '' ? undefined : filePath
}

/** Asks for a folder for several exports; undefined when the dialog was cancelled. */
export async function askForExportFolder(): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Export conversations into a folder',
    buttonLabel: 'Export here',
    defaultPath: app.getPath('documents'),
    properties: ['openDirectory', 'createDirectory'],
  })
  return filePaths[0]
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

/** Asks for an export of another system; undefined when the dialog was cancelled. */
export async function askForExport(): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Import an export of ChatGPT, Claude.ai or Skein',
    buttonLabel: 'Import',
    defaultPath: app.getPath('downloads'),
    properties: ['openFile'],
    filters: [
      { name: 'Exports', extensions: ['zip', 'json', 'jsonl', 'dat'] },
      { name: 'All files', extensions: ['*'] },
    ],
  })
  return filePaths[0]
}

const snapshotTitles = {
  take: 'Write a snapshot into a folder',
  encrypt: 'Write a snapshot that a passphrase opens into a folder',
  restore: 'Restore the snapshot into a new folder in',
}

/** Asks for the folder in which a snapshot is written, or a new folder made of one; undefined when it was cancelled. */
export async function askForSnapshotFolder(
  act: keyof typeof snapshotTitles,
): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: snapshotTitles[act],
    buttonLabel: act === 'restore' ? 'Restore here' : 'Write here',
    defaultPath: app.getPath('documents'),
    properties: ['openDirectory', 'createDirectory'],
  })
  return filePaths[0]
}

/** Asks for a snapshot; undefined when the dialog was cancelled. */
export async function askForSnapshot(): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Restore a snapshot',
    buttonLabel: 'Choose',
    defaultPath: app.getPath('documents'),
    properties: ['openFile'],
    filters: [{ name: 'Snapshots', extensions: ['zip', 'age'] }],
  })
  return filePaths[0]
}

/** A question for a person. */
interface AskedQuestion {
  readonly message: string
  readonly detail: string
  readonly refusal: string
  readonly answers: readonly string[]
  readonly isGrave?: boolean
}

/**
 * Asks by a dialog of the system, which no page can draw over or answer, in front of the window where there is one.
 * Enter and Esc refuse. Resolves to the index of the answer; undefined where it was refused, or the signal aborted.
 */
export async function askByDialog(
  { message, detail, refusal, answers, isGrave = false }: AskedQuestion,
  signal: AbortSignal,
): Promise<number | undefined> {
  const options: MessageBoxOptions = {
    type: isGrave ? 'warning' : 'question',
    title: 'Skein',
    message,
    detail,
    buttons: [refusal, ...answers],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    normalizeAccessKeys: false,
    signal,
  }
  const window = focusedAppWindow() ?? appWindows()[0]
  const { response } =
    window === undefined
      ? await dialog.showMessageBox(options)
      : await dialog.showMessageBox(window, options)
  return response > 0 && response <= answers.length ? response - 1 : undefined
}
