import { GitBranchPlus, Tag, Undo2, X } from 'lucide-react'
import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import type { EntryId } from '../../shared/model/conversation/entry'
import type { FamilyLabel, FamilyView } from '../../shared/model/family/branching'
import type { BranchNode } from '../../shared/model/family/family'
import { useLabels, useStores } from '../state/context'
import { type LabelSpot, spotKey } from '../state/transcript-state'
import type { MenuEntry } from '../ui/controls/ContextMenu'

/** Node whose entries can be branched from and named. */
type NamedNode = Pick<BranchNode, 'id' | 'kind' | 'source' | 'key' | 'fromEntry' | 'toEntry'>

/** The open conversation's way through its family, and the family's labels. */
interface FamilyAround {
  readonly path: readonly {
    readonly node: string
    readonly firstEntry: EntryId
    readonly lastEntry: EntryId
  }[]
  readonly labels: readonly FamilyLabel[] | undefined
}

/** Returns what makes the entries of a node's menu: a branch from its end, and its name. */
export function useNodeMenu(
  contextKey: LibraryKey | undefined,
  { path, labels }: FamilyAround,
): (node: NamedNode) => readonly MenuEntry[] {
  const { branching, labels: store } = useStores()
  const replaced = useLabels((state) => state.replaced)
  return (node) => {
    if (contextKey === undefined) return []
    const here = path.find((part) => part.node === node.id)
    const key = here === undefined ? libraryKeyOf(node.source, node.key) : contextKey
    const end = here?.lastEntry ?? node.toEntry
    const named = nameOfNode(node, labels)
    const spot: LabelSpot = {
      key: named?.key ?? key,
      // Main finds the line by the entry's id.
      at: { entry: named?.entry ?? here?.firstEntry ?? node.fromEntry, file: '', offset: 0 },
      itemKey: undefined,
      shown: named,
    }
    return [
      ...(node.kind === 'subagent'
        ? []
        : [
            {
              label: 'Branch here…',
              icon: GitBranchPlus,
              onChoose: () =>
                branching.getState().ask({
                  spot: spotKey(key, `node ${node.id}`),
                  key,
                  at: { entry: end },
                  action: { type: 'branch' },
                  isForSummary: false,
                }),
            },
          ]),
      { label: 'Name…', icon: Tag, keys: ['F2'], onChoose: () => store.getState().open(spot) },
      ...(named === undefined
        ? []
        : [{ label: 'Remove name', icon: X, onChoose: () => void store.getState().remove(spot) }]),
      ...(replaced?.spot.itemKey !== undefined || replaced?.spot.at.entry !== spot.at.entry
        ? []
        : [{ label: 'Undo name', icon: Undo2, onChoose: () => void store.getState().undo() }]),
    ]
  }
}

/** Returns the name of a run: the label of its first entry. */
function nameOfNode(
  node: Pick<BranchNode, 'id' | 'fromEntry'>,
  labels: readonly FamilyLabel[] | undefined,
): FamilyLabel | undefined {
  return labels?.find((label) => label.node === node.id && label.entry === node.fromEntry)
}

/**
 * Returns the name of the branch that a conversation is: that of the last run on its way, but for those that another
 * conversation has too.
 */
export function nameOfBranch(
  { family, labels }: Pick<FamilyView, 'family' | 'labels'>,
  key: LibraryKey,
  other: LibraryKey | undefined,
): FamilyLabel | undefined {
  const isOn = (node: BranchNode, wanted: LibraryKey | undefined) =>
    node.holders.some((holder) => libraryKeyOf(holder.source, holder.key) === wanted)
  const own = family.nodes.filter((node) => isOn(node, key) && !isOn(node, other))
  return own.reduce<FamilyLabel | undefined>(
    (last, node) => nameOfNode(node, labels) ?? last,
    undefined,
  )
}
