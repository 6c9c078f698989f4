import { run } from '../setup/child.mjs'

/**
 * The version of the Electron at this path, asked of itself; why it does not tell, where it does not.
 *
 * Runs it as plain Node, so no display is needed; the system's libraries are.
 * @param {string} executable
 * @returns {Promise<{ version: string } | { problem: string }>}
 */
export async function probe(executable) {
  const { code, stdout, stderr } = await run(executable, ['-p', 'process.versions.electron'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    timeoutMs: 20_000,
  })
  const version = stdout.trim()
  if (code === 0 && /^\d+\.\d+/.test(version)) return { version }
  return { problem: stderr.trim().split('\n')[0] || `it ended with ${code}` }
}
