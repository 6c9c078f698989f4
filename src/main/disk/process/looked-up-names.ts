import fs from 'node:fs'
import path from 'node:path'

/** More than any system follows. */
const mostLinks = 64

/**
 * Every name that the system looks up on its way to what a path leads to, each in the real folder that holds it, links
 * and what they lead through included; the last is the file itself. Ends where nothing is, or where it cannot look.
 *
 * `realPath` tells only where a path ends: whoever can write to one of these folders decides that.
 *
 * @param target absolute
 */
export async function lookedUpNames(target: string): Promise<readonly string[]> {
  const way: string[] = []
  const { root } = path.parse(target)
  let at = root
  let left = target.slice(root.length).split(path.sep)
  for (let links = 0; left.length > 0 && links < mostLinks; ) {
    const [name = '', ...below] = left
    left = below
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = path.dirname(at)
      continue
    }
    const next = path.join(at, name)
    way.push(next)
    const link = await linkAt(next)
    if (link === undefined) return way
    if (link === '') {
      at = next
      continue
    }
    links += 1
    left = [...link.split(path.sep), ...left]
    if (path.isAbsolute(link)) at = root
  }
  return way
}

/** Where a link leads; '' where something else is, undefined where nothing is or nobody can look. */
async function linkAt(name: string): Promise<string | undefined> {
  try {
    return await fs.promises.readlink(name)
  } catch (error) {
    return (error as { code?: unknown }).code === 'EINVAL' ? '' : undefined
  }
}
