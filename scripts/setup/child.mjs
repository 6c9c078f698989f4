import { spawn } from 'node:child_process'
import { root } from './project.mjs'

/**
 * @typedef {object} Ended
 * @property {number} code 128 and more when a signal ended it, 127 when it could not be started
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * Runs a command to its end.
 *
 * Output goes to our stderr ("show"), to both of our streams as it is ("pass"), or is collected ("keep").
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'show' | 'pass' | 'keep', timeoutMs?: number }} [options]
 * @returns {Promise<Ended>}
 */
export function run(command, args, options = {}) {
  const output = options.output ?? 'keep'
  /** @type {import('node:child_process').StdioOptions} */
  const stdio =
    output === 'keep'
      ? ['ignore', 'pipe', 'pipe']
      : output === 'show'
        ? ['ignore', 2, 2]
        : 'inherit'
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio,
      timeout: options.timeoutMs ?? 0,
      // npm is a .cmd file there, which only a shell can run.
      shell: process.platform === 'win32' && command === 'npm',
    })
    const end = () => child.kill('SIGTERM')
    process.once('exit', end)
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    child.on('error', (error) => resolve({ code: 127, stdout, stderr: error.message }))
    child.on('close', (code, signal) => {
      process.off('exit', end)
      resolve({ code: code ?? codeOf(signal), stdout, stderr })
    })
  })
}

/** @param {NodeJS.Signals | null} signal */
function codeOf(signal) {
  return signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 128
}
