import fs from 'node:fs'

/** Resolves to true where the user of this process may run the file; false where nothing is there. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await fs.promises.access(path, fs.constants.X_OK)
    return true
  } catch {
    return false
  }
}
