import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

/** A command that a page shows people. */
export interface Shown {
  readonly command: string
  /** Relative to the project. */
  readonly page: string
}

const pages = [
  ...fs.readdirSync(root).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md'),
  ...fs
    .readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
]

/** Programs that pages tell people to run. */
const program = /^(?:skein|npm|npx|node) /

/** Every command of README.md, CONTRIBUTING.md and docs/, in blocks and in sentences, each once. */
export function shownCommands(): readonly Shown[] {
  const all = pages.flatMap((page) => {
    const text = fs.readFileSync(path.join(root, page), 'utf8')
    const lines = [...text.matchAll(/^ *```(?:sh|console|bash)?\n([\s\S]*?)^ *```/gm)]
      .flatMap(([, block = '']) => block.split('\n'))
      // Of a line what people type: without the prompt before it, and the remark behind it.
      .map((line) =>
        line
          .trim()
          .replace(/^\$ /, '')
          .replace(/ +# .*$/, '')
          .trim(),
      )
      .filter((line) => program.test(line) || / \| skein /.test(line))
    const named = [...text.replace(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)]
      .map(([, code = '']) => code.replaceAll('\\|', '|'))
      .filter((code) => program.test(`${code} `))
      .filter((code) => !/^(?:skein|npm|npx|node)$/.test(code))
    return [...lines, ...named].map((command) => ({ command, page }))
  })
  return all.filter(({ command }, at) => all.findIndex((one) => one.command === command) === at)
}
