#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { root } from './setup/project.mjs'
import { runScript, say } from './setup/words.mjs'
import { assemble } from './wasm/assemble.mjs'

/** Builds the WebAssembly of the search from its source, into the file that holds its bytes. A test checks that they are equal. */
await runScript(async () => {
  const folder = path.join(root, 'src', 'main', 'search', 'bytes')
  const bytes = assemble(fs.readFileSync(path.join(folder, 'byte-scan.wat'), 'utf8'))
  const base64 = Buffer.from(bytes).toString('base64')
  const target = path.join(folder, 'byte-scan-module.ts')
  const text = fs.readFileSync(target, 'utf8')
  fs.writeFileSync(target, text.replace(/'[A-Za-z0-9+/=]*'/, `'${base64}'`))
  say(`${bytes.length} bytes`)
  return 0
})
