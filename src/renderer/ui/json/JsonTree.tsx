import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { Icon } from '../controls/Icon'
import { formatCount, formatQuantity } from '../format/format'
import { LongText } from '../text/LongText'
import type { JsonBranch, JsonScalar } from './json-nodes'
import { firstFolds, type JsonFolds, type JsonRow, jsonRows, jsonStep } from './json-rows'
import { jsonTextOf } from './json-text'

/**
 * JSON as a tree that folds. Arrows walk and fold as in every tree, Home and End go to its ends, Enter opens and closes a
 * branch, and shows a long text whole. Of a branch 100 members are drawn at first.
 */
export function JsonTree(props: { readonly root: JsonBranch; readonly label: string }) {
  const { root, label } = props
  const [folds, setFolds] = useState<JsonFolds>(() => firstFolds(root))
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set())
  const [cursor, setCursor] = useState(0)
  const tree = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => jsonRows(root, folds), [root, folds])
  const at = Math.min(cursor, rows.length - 1)

  function go(to: number): void {
    const row = Math.max(0, Math.min(rows.length - 1, to))
    setCursor(row)
    const element = tree.current?.children[row]
    if (element instanceof HTMLElement) element.focus()
  }

  function toggle({ path, node, left }: JsonRow): void {
    if (left > 0) {
      const drawn = (folds.drawn.get(path) ?? jsonStep) + jsonStep
      setFolds({ ...folds, drawn: new Map(folds.drawn).set(path, drawn) })
    } else if (node.type === 'scalar') {
      if (jsonTextOf(node)?.opens) setWhole(toggled(whole, path))
    } else setFolds({ ...folds, open: toggled(folds.open, path) })
  }

  function press(event: KeyboardEvent): void {
    const row = rows[at]
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLButtonElement) return
    const isBranch = row.node.type !== 'scalar' && row.left === 0
    switch (event.key) {
      case 'ArrowDown':
        go(at + 1)
        break
      case 'ArrowUp':
        go(at - 1)
        break
      case 'Home':
        go(0)
        break
      case 'End':
        go(rows.length - 1)
        break
      case 'ArrowRight':
        if (isBranch && row.isOpen) go(at + 1)
        else if (isBranch) toggle(row)
        break
      case 'ArrowLeft':
        if (isBranch && row.isOpen) toggle(row)
        else go(rows.findLastIndex((other, index) => index < at && other.depth < row.depth))
        break
      case 'Enter':
      case ' ':
        toggle(row)
        break
      default:
        return
    }
    // The keys of the turn around it are others.
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div ref={tree} className="json-tree" role="tree" aria-label={label} onKeyDown={press}>
      {rows.map((row, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
        <div
          key={row.left > 0 ? `${row.path}+` : row.path}
          role="treeitem"
          aria-level={row.depth + 1}
          aria-posinset={row.position}
          aria-setsize={row.size}
          aria-expanded={row.node.type === 'scalar' || row.left > 0 ? undefined : row.isOpen}
          aria-selected={index === at}
          tabIndex={index === at ? 0 : -1}
          className="json-row"
          style={{ paddingInlineStart: `${Math.min(row.depth, deepestIndent) + 1.25}rem` }}
          onFocus={() => setCursor(index)}
          onClick={({ target }) => {
            const isOther = target instanceof Element && target.closest('button') !== null
            // Who marks text does not fold it away.
            if (!isOther && getSelection()?.isCollapsed !== false) toggle(row)
          }}
        >
          {row.left > 0 ? (
            <span className="json-more">
              Show {formatCount(Math.min(jsonStep, row.left))} more, {formatCount(row.left)} are
              left
            </span>
          ) : (
            <RowContent row={row} isWhole={whole.has(row.path)} />
          )}
        </div>
      ))}
    </div>
  )
}

/** Deepest level that is drawn further in than the one above it. */
const deepestIndent = 16
/** Characters of an open text that need no pages. */
const pageText = 6_000

function RowContent(props: { readonly row: JsonRow; readonly isWhole: boolean }) {
  const { row, isWhole } = props
  const { name, node, isOpen } = row
  return (
    <>
      {node.type !== 'scalar' && (
        <Icon of={ChevronRight} size={12} className={isOpen ? 'turned' : ''} />
      )}
      {name !== undefined && (
        <>
          <span className={typeof name === 'number' ? 'json-index' : 'hljs-attr'}>
            {typeof name === 'number' ? formatCount(name) : visibleText(name)}
          </span>
          {': '}
        </>
      )}
      {node.type === 'scalar' ? (
        <Scalar node={node} isWhole={isWhole} />
      ) : (
        <span className="json-size">
          {node.type === 'object' ? '{}' : '[]'}{' '}
          {formatQuantity(node.members.length, node.type === 'object' ? 'key' : 'item')}
        </span>
      )}
    </>
  )
}

function Scalar(props: { readonly node: JsonScalar; readonly isWhole: boolean }) {
  const { raw } = props.node
  const told = useMemo(() => jsonTextOf({ type: 'scalar', raw }), [raw])
  if (told === undefined) return <span className="hljs-number">{raw}</span>
  const { text, start, isCut, opens } = told
  if (props.isWhole)
    return text.length > pageText ? (
      <LongText text={text} firstLines={60} label="Text" />
    ) : (
      <span className="hljs-string json-whole">{visibleText(text)}</span>
    )
  return (
    <>
      <span className="hljs-string">{`"${visibleText(start)}${isCut ? '…' : '"'}`}</span>
      {opens && <span className="json-size"> {formatQuantity(text.length, 'character')}</span>}
    </>
  )
}

function toggled(set: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(path)) next.add(path)
  return next
}
