import { ConversationKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import { indexLabels, type LabelIndex } from '../../shared/model/conversation/entry-labels'
import type { Label } from '../../shared/model/conversation/label'
import { familiesOf, hasBranches } from '../../shared/model/family/branches'
import type { BranchNode, Family } from '../../shared/model/family/family'
import { outlineOf } from '../../shared/model/family/outline'
import { UsageError } from '../command/arguments'
import type { Command } from '../command/command'
import { pickNamed } from '../conversations/find'
import { allLabels } from '../conversations/given-labels'
import { readAll } from '../conversations/read-all'
import { jsonOutput, terminalText } from '../terminal/output'

/** Command `skein branches`. */
export const branchesCommand: Command = {
  name: 'branches',
  synopsis: '[KEY]',
  summary: 'prints conversations that share a prefix as trees; with KEY, the tree of that one',
  flags: [],
  replaces: 'cycodj branches',
  async run(context) {
    const { args, output } = context
    const [wanted, ...more] = args.operands
    if (more.length > 0) throw new UsageError('"skein branches" takes one KEY at most.')
    const { conversations, incomplete, unread } = await readAll(context, args.roots)
    const found = wanted === undefined ? undefined : pickNamed(wanted, conversations, (one) => one)

    const outlines = conversations.map((one) =>
      outlineOf({ ...one, key: ConversationKey.parse(one.key) }),
    )
    const current =
      found === undefined
        ? undefined
        : { source: found.source, key: ConversationKey.parse(found.key) }
    const families = familiesOf(outlines, current).filter((family) =>
      current === undefined
        ? hasBranches(family) || (!args.json && isShared(family))
        : family.nodes.some((node) => node.keys.includes(current.key)),
    )
    const labels = indexLabels(await allLabels(context))
    const named = families.map(({ root, nodes }) => ({
      root,
      nodes: nodes.map((node) => ({ ...node, ...nameOf(node, labels) })),
    }))
    if (args.json) await output.write(jsonOutput({ families: named, unread }))
    else for (const family of named) await output.write(`${drawn(family.nodes)}\n`)
    if (found === undefined) return unread.length === 0 ? 0 : 1
    const shown = new Set<string>(
      families.flatMap(({ nodes }) => nodes.flatMap((node) => node.keys)),
    )
    return [...incomplete].some(({ key }) => shown.has(key)) ? 1 : 0
  },
}

/** Whether it is more than one conversation; the one that goes on from another's end makes no fork. */
function isShared({ nodes }: Family): boolean {
  return new Set(nodes.flatMap(({ keys }) => keys)).size > 1
}

/** A run with its name, where it has one. */
type NamedNode = BranchNode & { readonly name?: Label }

/** The name of a branch is the label of its first entry. */
function nameOf(node: BranchNode, labels: LabelIndex): { readonly name?: Label } {
  const label = labels.of(libraryKeyOf(node.source, node.key), node.fromEntry)
  return label === undefined ? {} : { name: { word: label.word, color: label.color } }
}

/** A family as indented lines, children below their parent. */
function drawn(nodes: readonly NamedNode[]): string {
  const depthOf = new Map<string, number>()
  const lines = nodes.map((node) => {
    const depth = node.parent === null ? 0 : (depthOf.get(node.parent) ?? 0) + 1
    depthOf.set(node.id, depth)
    return `${'  '.repeat(depth)}${words(node)}`
  })
  return `${lines.join('\n')}\n`
}

function words(node: NamedNode): string {
  const mark = node.active ? '*' : '-'
  const name = node.name === undefined ? '' : `[${terminalText(node.name.word)}]  `
  return `${mark} ${name}${terminalText(node.title || node.fromEntry)}  (${node.entries} entries in ${terminalText(node.keys.join(', '))})`
}
