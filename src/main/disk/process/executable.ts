import fs from 'node:fs'

/** Whether the person who runs Skein may run this file as a program. False where nothing is. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await fs.promises.access(path, fs.constants.X_OK)
    return true
  } catch {
    return false
  }
}
