import { contextNameFault } from '../../../shared/model/conversation/conversation'

/** chibi's limit, less what a number needs. */
const longestBase = 120
/** Longer names of adopted conversations help nobody. */
const longestSlug = 60

/**
 * Returns a name for a branch: the parent's with the next free number from 2 on. A branch of `garden-2` is `garden-3`
 * when there is a `garden`; `plan-2024` alone becomes `plan-2024-2`.
 *
 * @param taken lower-case names: some file systems tell no upper case from lower
 */
export function branchName(parent: string, taken: ReadonlySet<string>): string {
  const numbered = /^(.+)-\d+$/.exec(parent)?.[1]
  const base = numbered !== undefined && taken.has(numbered.toLowerCase()) ? numbered : parent
  return nextFree(base.replace(/^-+/, '').slice(0, longestBase) || 'branch', taken)
}

/**
 * Returns a name for the context that adopts a conversation: letters and digits of its title, else of its key, with a
 * number where that is taken.
 */
export function adoptedName(title: string, key: string, taken: ReadonlySet<string>): string {
  const base = [title, key].map(slug).find((name) => name !== '') ?? 'conversation'
  const isFree = contextNameFault(base) === undefined && !taken.has(base)
  return isFree ? base : nextFree(base, taken)
}

function slug(text: string): string {
  return text
    .slice(0, 1000)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, '')
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, longestSlug)
    .replace(/^-+|-+$/g, '')
}

function nextFree(base: string, taken: ReadonlySet<string>): string {
  let number = 2
  while (taken.has(`${base}-${number}`.toLowerCase())) number++
  return `${base}-${number}`
}
