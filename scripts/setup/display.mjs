import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findCommand } from './system.mjs'
import { Fault } from './words.mjs'

/** Whether a window can be shown. Only Linux may have none. */
export function hasDisplay() {
  return (
    process.platform !== 'linux' ||
    Boolean(process.env.DISPLAY) ||
    Boolean(process.env.WAYLAND_DISPLAY)
  )
}

/**
 * Starts a virtual display of our own and names it (":99"). The server picks a free number and tells it when it is ready.
 * @param {{ width: number, height: number }} [size]
 * @returns {Promise<{ name: string, close: () => Promise<void> }>}
 */
async function startDisplay(size = { width: 1600, height: 1000 }) {
  const command = findCommand('Xvfb')
  if (command === undefined)
    throw new Fault('There is no display, and no Xvfb to make a virtual one.')
  const screen = ['-screen', '0', `${size.width}x${size.height}x24`]
  const line = [command, '-displayfd', '3', ...screen, '-nolisten', 'tcp', '-noreset']
  // The kernel ends it when we are killed and cannot.
  const setpriv = findCommand('setpriv')
  const [first = '', ...rest] = setpriv ? [setpriv, '--pdeathsig', 'TERM', ...line] : line
  const server = spawn(first, rest, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const close = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  process.once('exit', () => server.kill('SIGTERM'))
  const number = await displayNumber(server)
  if (number === undefined) throw new Fault('The virtual display (Xvfb) did not start.')
  return { name: `:${number}`, close }
}

/**
 * @param {import('node:child_process').ChildProcess} server
 * @returns {Promise<string | undefined>} undefined when it ended before it was ready
 */
function displayNumber(server) {
  return new Promise((resolve) => {
    let text = ''
    server.on('error', () => resolve(undefined))
    server.on('exit', () => resolve(undefined))
    server.stdio[3]?.on('data', (bytes) => {
      text += bytes
      if (text.includes('\n')) resolve(text.trim())
    })
  })
}

/**
 * Gives `work` an environment with a display: the machine's, else a virtual one that ends with it.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 */
export async function withDisplay(work) {
  if (hasDisplay()) return work(process.env)
  const display = await startDisplay()
  try {
    return await work({ ...process.env, DISPLAY: display.name })
  } finally {
    await display.close()
  }
}
