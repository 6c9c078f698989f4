import fs from 'node:fs'
import path from 'node:path'

/** A file or folder of a tree, with what may not change: its time, permissions, number of names, and bytes. */
interface TreeNode {
  readonly mtimeMs: number
  readonly mode: number
  readonly links: number
  /** Undefined for a folder. */
  readonly text: string | undefined
}

/** Everything below a folder, by its path from there; the folder itself is under the empty one. */
export function treeOf(folder: string): Record<string, TreeNode> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    ['', ...names].map((name) => {
      const file = path.join(folder, name)
      const { mtimeMs, mode, nlink: links } = fs.statSync(file)
      const isFile = fs.statSync(file).isFile()
      const text = isFile ? fs.readFileSync(file, 'latin1') : undefined
      return [name, { mtimeMs, mode: mode & 0o777, links, text }]
    }),
  )
}
