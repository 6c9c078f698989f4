import fs from 'node:fs'
import path from 'node:path'

/** More than any system follows. */
const mostLinks = 64

/**
 * Lists every name that the system looks up on the way to a path's target, each in its real folder, links and their
 * targets included; the last is the file itself. The list ends at a name that does not exist or cannot be read.
 *
 * `realPath` returns only the end of that way, but anybody who can write to one of these folders decides where it
 * leads.
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

/** The target of a link; '' where something else is there, undefined where nothing is or it cannot be read. */
async function linkAt(name: string): Promise<string | undefined> {
  try {
    return await fs.promises.readlink(name)
  } catch (error) {
    return (error as { code?: unknown }).code === 'EINVAL' ? '' : undefined
  }
}
