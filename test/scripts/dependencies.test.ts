import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { holdsLock } from '../../scripts/setup/dependencies.mjs'
import { scripts, startScript } from './support/script'
import { tempFolder } from './support/temp-folder'

const lock = {
  packages: {
    '': { name: 'project' },
    'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
    'node_modules/other-system': { version: '1.0.0', integrity: 'sha512-two', optional: true },
  },
}

/** A project and, first on the path, an `npm` that writes down how it was called and installs an empty folder. */
function makeProject(npm = 'rm -rf node_modules; mkdir node_modules'): {
  readonly project: string
  readonly calls: () => readonly string[]
  readonly env: NodeJS.ProcessEnv
} {
  const folder = tempFolder()
  const project = path.join(folder, 'project')
  const tools = path.join(folder, 'tools')
  const log = path.join(folder, 'calls')
  fs.mkdirSync(project)
  fs.mkdirSync(tools)
  fs.writeFileSync(path.join(project, 'package-lock.json'), JSON.stringify(lock))
  fs.writeFileSync(path.join(tools, 'npm'), `#!/bin/sh\necho "$@" >> ${log}\n${npm}\n`, {
    mode: 0o755,
  })
  return {
    project,
    calls: () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : []),
    env: { PATH: `${tools}${path.delimiter}${process.env.PATH}` },
  }
}

async function setUp({ project, env }: ReturnType<typeof makeProject>): Promise<string> {
  const { output } = await startScript(
    `
    import { ensureDependencies } from '${scripts}/setup/dependencies.mjs'
    await ensureDependencies('${project}').then(() => console.log('done'), (error) => console.log(error.message))
  `,
    env,
  ).ended
  return output.trim()
}

it('installs once while the lock file stays the same', async () => {
  const made = makeProject()

  expect([await setUp(made), await setUp(made)]).toEqual(['done', 'done'])
  expect(made.calls()).toEqual([
    'ci --ignore-scripts --min-release-age=0 --include=dev --include=optional --no-audit --no-fund --loglevel=error',
  ])
})

it('installs again when the lock file has changed', async () => {
  const made = makeProject()
  await setUp(made)
  fs.writeFileSync(
    path.join(made.project, 'package-lock.json'),
    '{"packages":{"node_modules/new":{}}}',
  )
  await setUp(made)

  expect(made.calls()).toHaveLength(2)
})

it('lets two set-ups at once share one installation', async () => {
  const made = makeProject('rm -rf node_modules; sleep 0.3; mkdir node_modules')

  expect(await Promise.all([setUp(made), setUp(made)])).toEqual(['done', 'done'])
  expect(made.calls()).toHaveLength(1)
})

it('tells when npm fails, and tries again the next time', async () => {
  const made = makeProject('exit 7')

  expect(await setUp(made)).toContain('npm ended with 7')
  expect(await setUp(made)).toContain('npm ended with 7')
  expect(made.calls()).toHaveLength(2)
})

it('takes what npm was told to install by hand', async () => {
  const made = makeProject()
  const installed = { packages: { 'node_modules/one': lock.packages['node_modules/one'] } }
  fs.mkdirSync(path.join(made.project, 'node_modules'))
  fs.writeFileSync(
    path.join(made.project, 'node_modules', '.package-lock.json'),
    JSON.stringify(installed),
  )

  expect(await setUp(made)).toBe('done')
  expect(made.calls()).toEqual([])
})

it('does not take an installation of another version', () => {
  const { project } = makeProject()
  const installed = { packages: { 'node_modules/one': { version: '0.9.0' } } }
  fs.mkdirSync(path.join(project, 'node_modules'))
  fs.writeFileSync(
    path.join(project, 'node_modules', '.package-lock.json'),
    JSON.stringify(installed),
  )

  expect(holdsLock(project)).toBe(false)
})
