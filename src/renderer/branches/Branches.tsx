import { CornerUpLeft, GitCompareArrows, Network } from 'lucide-react'
import { useMemo } from 'react'
import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import type { FamilyView } from '../../shared/model/family/branching'
import { type BranchNode, leavesOf } from '../../shared/model/family/family'
import { Tree } from '../family-tree/Tree'
import { treeRows } from '../family-tree/tree-rows'
import { useNodeMenu } from '../family-tree/use-node-menu'
import { comparePointOf } from '../state/compare-state'
import { useActions, useApp, useBranches, useStores, useTranscript } from '../state/context'
import { IconButton } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { LiveRegion } from '../ui/notes/LiveRegion'

/** Family of the open conversation as a tree; nothing for a conversation without relatives. */
export function Branches() {
  const key = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const view = useBranches((state) => (state.key === key ? state.view : undefined))
  const failure = useBranches((state) => (state.key === key ? state.failure : undefined))
  const load = useBranches((state) => state.load)
  if (key === undefined) return null
  if (failure !== undefined)
    return (
      <section className="details-section branches" aria-label="Branches">
        <h3 className="details-head">Branches</h3>
        <div className="details-note">
          <FailureNote title="Not read." failure={failure} onAgain={() => void load(key)} />
        </div>
      </section>
    )
  if (view == null) return null
  return <Family contextKey={key} view={view} />
}

function Family(props: { readonly contextKey: LibraryKey; readonly view: FamilyView }) {
  const { contextKey, view } = props
  const { openAt, compare } = useActions()
  const isCounting = useBranches((state) => state.isCounting)
  const leaf = useTranscript(({ key, branches }) =>
    key === contextKey && branches?.way !== undefined ? branches.leaf : undefined,
  )
  const rows = useMemo(() => {
    const isOwn = (node: BranchNode) =>
      node.holders.some(({ source, key }) => libraryKeyOf(source, key) === contextKey)
    const shown = view.family.nodes.find((node) => node.toEntry === leaf && isOwn(node))
    const last = shown?.id ?? view.path.at(-1)?.node
    return treeRows(view.family.nodes, last, view.labels)
  }, [view, leaf, contextKey])
  const { map } = useStores()
  const nodeMenu = useNodeMenu(contextKey, { path: view.path, labels: view.labels })
  const leaves = useMemo(() => leavesOf(view.family).length, [view])
  const elsewhere = useTranscript(({ key, branches }) =>
    key === contextKey ? (branches?.elsewhere ?? 0) : 0,
  )

  function goTo(node: BranchNode): void {
    const here = view.path.find((part) => part.node === node.id)
    if (here !== undefined) void openAt(contextKey, { entry: here.firstEntry })
    else void openAt(libraryKeyOf(node.source, node.key), { entry: node.fromEntry })
  }
  return (
    <section className="details-section branches" aria-label="Branches">
      <h3 className="details-head">
        Branches
        <span className="t3 number">{formatQuantity(leaves, 'branch', 'branches')}</span>
        {isCounting && <span className="t3 branches-counting">counting…</span>}
        <span className="branches-map">
          <IconButton
            label="Map"
            keys="map"
            icon={Network}
            size="medium"
            onClick={() => map.getState().open(contextKey)}
          />
        </span>
      </h3>
      {elsewhere > 0 && (
        <p className="details-note t2">
          {formatQuantity(elsewhere, 'entry', 'entries')} on other branches of this conversation
        </p>
      )}
      <Tree
        rows={rows}
        contextKey={contextKey}
        onGo={goTo}
        menuOf={(node) => [
          { label: 'Open', icon: CornerUpLeft, keys: ['Enter'], onChoose: () => goTo(node) },
          {
            label: 'Compare with open conversation',
            icon: GitCompareArrows,
            onChoose: () => compare({ key: contextKey }, comparePointOf(view.family, node)),
          },
          ...nodeMenu(node),
        ]}
      />
      <LiveRegion>
        {isCounting && 'Still reading conversations. More branches may appear.'}
      </LiveRegion>
    </section>
  )
}
