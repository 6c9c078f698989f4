import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Fault } from '../setup/words.mjs'
import { packageVersion } from './identity.mjs'

/**
 * Packs the app's folder into a `.tar.gz` that unpacks to one folder; resolves to its path. Names are in order and owners
 * are left out, so the same folder gives the same bytes.
 * @param {string} app
 * @param {string} output
 */
export async function buildTarball(app, output) {
  const file = path.join(output, `skein-${packageVersion()}-linux-${process.arch}.tar.gz`)
  const owners = ['--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
  const child = spawn(
    'tar',
    ['--create', '--sort=name', ...owners, '-C', path.dirname(app), path.basename(app)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  // Node's gzip writes neither a name nor a time.
  await pipeline(child.stdout, createGzip({ level: 9 }), fs.createWriteStream(file))
  if ((await ended) !== 0) throw new Fault('tar failed; its words are above.')
  return file
}
