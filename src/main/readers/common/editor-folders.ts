const editors = ['Code', 'Code - Insiders', 'VSCodium']

/** The folder in which programs keep a person's data on this system. */
const dataFolder =
  process.platform === 'darwin'
    ? '~/Library/Application Support'
    : process.platform === 'win32'
      ? '~/AppData/Roaming'
      : '~/.config'

/** The folders in which VS Code, and editors that are built from it, keep a person's data, with `~`. */
export const editorFolders: readonly string[] = editors.map((name) => `${dataFolder}/${name}/User`)
