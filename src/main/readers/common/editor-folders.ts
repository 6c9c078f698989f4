const editors = ['Code', 'Code - Insiders', 'VSCodium']

/** The folder in which programs keep a person's data on this system. */
const dataFolder =
  process.platform === 'darwin'
    ? '~/Library/Application Support'
    : process.platform === 'win32'
      ? '~/AppData/Roaming'
      : '~/.config'

/** Returns the folder in which a program keeps a person's data on this system, with `~`. */
export function programFolder(name: string): string {
  return `${dataFolder}/${name}`
}

/** Returns the folder in which an editor that is built from VS Code keeps a person's data, with `~`. */
export function editorFolder(name: string): string {
  return `${programFolder(name)}/User`
}

/** The folders in which VS Code, and editors that are built from it, keep a person's data, with `~`. */
export const editorFolders: readonly string[] = editors.map(editorFolder)
