#!/usr/bin/env node
import path from 'node:path'
import { forgetBuild } from './build.mjs'
import { ensureElectron } from './electron-runtime.mjs'
import { run } from './setup/child.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { hasDisplay } from './setup/display.mjs'
import { checkNode, isRoot, root } from './setup/project.mjs'
import { Fault, runScript } from './setup/words.mjs'

/** Opens the app on its sources: a change shows at once (renderer) or after a restart of its own (main). */
await runScript(async () => {
  checkNode()
  if (!hasDisplay()) throw new Fault('There is no display here. "npm start" works without one.')
  await ensureDependencies()
  const { executable } = await ensureElectron()
  forgetBuild()
  const tool = path.join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  const { code } = await run(
    process.execPath,
    [
      tool,
      'dev',
      '--watch',
      '--sourcemap',
      ...(isRoot() ? ['--noSandbox'] : []),
      '--',
      ...process.argv.slice(2),
    ],
    { output: 'pass', env: { ...process.env, ELECTRON_EXEC_PATH: executable } },
  )
  return code
})
