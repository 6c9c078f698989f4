import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { bundled } from '../../support/bundled'
import { answerWith, chunk, type RawServer, rawServer } from '../../support/raw-server'
import { tempFolders } from '../../support/temp-folder'
import { skeinHere } from '../skein-here'

const root = path.resolve(import.meta.dirname, '../../..')

/** A person's folder with a home, histories of other systems, and `skein` in the PATH. */
export interface Person {
  readonly home: string
  readonly environment: Readonly<Record<string, string>>
  /** Runs a line of a shell in the folder; nobody types anything. Rejects where its exit code is not 0. */
  sh(
    line: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<{ readonly stdout: string; readonly stderr: string }>
}

/** Builds the command line and starts a model's server for the tests of a file; gives persons that use both. */
export function people() {
  const temp = tempFolders()
  const cli = bundled('src/cli/index.ts')
  const worker = bundled('src/main/search/search.worker.ts')
  let server: RawServer
  beforeAll(async () => {
    const answer = [chunk({ content: 'Tulips, then.' }), chunk({}, 'stop')]
    server = await rawServer(answerWith(() => answer))
  })
  afterAll(() => server.close())

  async function person(): Promise<Person> {
    const home = temp()
    const bin = path.join(home, 'bin')
    fs.mkdirSync(bin)
    // With what it loads only when it is needed.
    fs.cpSync(path.dirname(cli()), bin, { recursive: true })
    fs.copyFileSync(worker(), path.join(bin, 'search.worker.cjs'))
    fs.writeFileSync(
      path.join(bin, 'skein'),
      `#!/bin/sh\nexec '${process.execPath}' '${path.join(bin, path.basename(cli()))}' "$@"\n`,
      { mode: 0o755 },
    )
    // Writes the words of its line, each with a zero behind it.
    fs.mkdirSync(path.join(home, 'words'))
    fs.writeFileSync(path.join(home, 'words/skein'), `#!/bin/sh\nprintf '%s\\0' "$@"\n`, {
      mode: 0o755,
    })
    const readers = path.join(root, 'test/fixtures/readers')
    fs.cpSync(path.join(readers, 'voicemode/basic'), path.join(home, '.voicemode'), {
      recursive: true,
    })
    fs.cpSync(path.join(readers, 'cycod/input'), path.join(home, '.cycod'), { recursive: true })
    fs.mkdirSync(path.join(home, '.chibi/plugins'), { recursive: true })
    fs.mkdirSync(path.join(home, '.chibi/prompts'), { recursive: true })
    fs.writeFileSync(
      path.join(home, '.chibi/prompts/review.md'),
      'Review this {{language:English}} text.\n',
    )
    fs.writeFileSync(path.join(home, '.chibi/plugins/rain'), '#!/bin/sh\necho "[]"\n', {
      mode: 0o755,
    })
    const environment = {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: home,
      XDG_DATA_HOME: path.join(home, 'data'),
      CHIBI_BASE_URL: server.url,
      CHIBI_MODEL: 'practice',
      CHIBI_API_KEY: 'sk-none',
    }
    const sh: Person['sh'] = (line, more = {}) => {
      const env = { ...environment, ...more }
      // One command alone: a shell says what its words are.
      if (/^skein [^|<>&;`\n]*$/.test(line) && !line.includes('$(')) return here(line, env)
      const running = promisify(execFile)('sh', ['-c', line], { cwd: home, env })
      running.child.stdin?.end()
      return running
    }
    const here = async (line: string, env: Readonly<Record<string, string>>) => {
      const shown = await promisify(execFile)('sh', ['-c', line], {
        cwd: home,
        env: { ...env, PATH: `${path.join(home, 'words')}:${env.PATH}` },
      })
      const argv = shown.stdout.split('\0').slice(0, -1)
      const { code, out, words } = await skeinHere(argv, env, { folder: home })
      if (code === 0) return { stdout: out, stderr: words }
      throw Object.assign(new Error(`${line}: exit code ${code}`), {
        code,
        stdout: out,
        stderr: words,
      })
    }
    return { home, environment, sh }
  }

  /** The same with something to read: a context that was spoken in, and what a command may name of it. */
  async function furnished() {
    const one = await person()
    for (const said of ['Tulips?', 'How deep?', 'And when?'])
      await one.sh(`skein ask -C garden "${said}"`)
    fs.writeFileSync(path.join(one.home, '.chibi/contexts/garden/todos.md'), '- water\n')
    const active = path.join(one.home, '.chibi/contexts/garden/transcript/active.jsonl')
    const answer = fs.readFileSync(active, 'utf8').trimEnd().split('\n').at(-1) ?? ''
    const { stdout } = await one.sh('skein plugins look rain --json')
    return { one, known: { ANSWER: JSON.parse(answer).id, DIGEST: JSON.parse(stdout).hash } }
  }

  return { person, furnished }
}
