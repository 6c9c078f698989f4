/** Value of a JSON text, with its scalars as they stand there: no digit is rounded, no key of two is lost. */
export type JsonNode = JsonScalar | JsonBranch

/** Text, number or word of a JSON text. */
export interface JsonScalar {
  readonly type: 'scalar'
  /** As in the text, quotes and escapes included. */
  readonly raw: string
}

/** Object or list of a JSON text. */
export interface JsonBranch {
  readonly type: 'object' | 'array'
  readonly members: readonly JsonMember[]
}

/** Member of an object, or item of a list. */
export interface JsonMember {
  /** Undefined in a list. */
  readonly key: string | undefined
  readonly node: JsonNode
}

/** Shortest JSON that is drawn as a tree, in characters: a shorter one is read at a glance. */
export const shortestTree = 120
/** Longest text that is read, in characters, and most values in it: the window waits for it, each time that it is drawn anew. */
const longest = 200_000
const mostNodes = 20_000

/**
 * Reads a text that is one JSON object or list. Undefined for all others, for one that is empty, and for more than 200,000
 * characters or 20,000 values. Never throws; one pass.
 */
export function jsonNodes(text: string): JsonBranch | undefined {
  if (text.length > longest || !/^\s*[[{]/.test(text) || !isJson(text)) return undefined
  const token = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/g
  const open: OpenBranch[] = []
  let key: string | undefined
  let nodes = 0
  for (const [raw] of text.matchAll(token)) {
    const parent = open.at(-1)
    switch (raw) {
      case ',':
      case ':':
        break
      case '}':
      case ']':
        open.pop()
        if (parent !== undefined && open.length === 0)
          return parent.members.length === 0 ? undefined : parent
        break
      default: {
        if (parent?.type === 'object' && key === undefined) {
          key = String(JSON.parse(raw))
          break
        }
        nodes += 1
        if (nodes > mostNodes) return undefined
        const branch: OpenBranch | undefined =
          raw === '{' || raw === '['
            ? { type: raw === '{' ? 'object' : 'array', members: [] }
            : undefined
        parent?.members.push({ key, node: branch ?? { type: 'scalar', raw } })
        key = undefined
        if (branch !== undefined) open.push(branch)
      }
    }
  }
  return undefined
}

interface OpenBranch extends JsonBranch {
  readonly members: JsonMember[]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
