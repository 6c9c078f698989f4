import fs from 'node:fs'
import path from 'node:path'
import { root } from '../setup/project.mjs'

/** Reads the version of Skein, as package.json has it. */
export function packageVersion() {
  return /** @type {string} */ (
    JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version
  )
}
