import { X } from 'lucide-react'
import type { ComponentType, KeyboardEvent } from 'react'
import type { HitPreview } from '../../shared/model/hit-preview'
import { soughtTexts } from '../../shared/model/query/sought-texts'
import { useActions, usePreview, useSearch, useStores } from '../state/context'
import { type ListedHit, openHit } from '../state/search-state'
import { focusOn, focusTarget } from '../ui/behaviour/focus'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { isComposing } from '../ui/behaviour/keys'
import { Button, EnterHint, IconButton } from '../ui/controls/Button'
import { SourceMark } from '../ui/controls/SourceMark'
import { FailureNote } from '../ui/notes/FailureNote'
import { MarkedSnippet } from '../ui/text/MarkedSnippet'
import { useHitTitle } from './HitHead'

/** View that draws the rows of a preview. */
export type PreviewRows = ComponentType<{
  readonly rows: HitPreview
  readonly marked: readonly string[]
}>

/** Preview of the selected hit: its entry with its neighbours. It never takes the focus by itself. */
export function PreviewPane(props: { readonly Rows: PreviewRows }) {
  const { preview } = useStores()
  const shown = usePreview((state) => state.shown)
  const isSlow = useDelayedFlag(
    usePreview((state) => state.isLoading),
    150,
  )
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    // Back to the hits; the next Esc closes the search.
    if (focusOn('hits')) event.stopPropagation()
  }
  return (
    <section
      className="preview-pane"
      aria-label="Preview"
      data-pane="preview"
      onKeyDown={onKeyDown}
    >
      {shown === undefined ? (
        <div className="preview-head">
          <span className="grow t2">Preview</span>
          <CloseButton />
        </div>
      ) : (
        <PreviewHead found={shown.of} isLeft={shown.rows?.isLeft === true} />
      )}
      <section
        className={`scroll preview-rows ${isSlow ? 'stale' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Entry and its neighbours"
        aria-busy={isSlow}
        {...focusTarget('preview')}
      >
        {shown === undefined ? (
          <p className="preview-empty t3 small">Select a hit to see its entry here.</p>
        ) : shown.failure !== undefined ? (
          <div className="preview-note">
            <FailureNote
              title="The entry could not be read."
              failure={shown.failure}
              onAgain={() => preview.getState().readAgain()}
            />
          </div>
        ) : (
          shown.rows !== undefined && (
            <Entries key={shown.of.id} of={shown.of} rows={shown.rows} Rows={props.Rows} />
          )
        )}
      </section>
      {shown !== undefined && <PreviewFoot found={shown.of} />}
    </section>
  )
}

function PreviewHead(props: { readonly found: ListedHit; readonly isLeft: boolean }) {
  const { title } = useHitTitle(props.found)
  return (
    <div className="preview-head">
      <SourceMark source={props.found.hit.source} />
      <span className="strong cut" title={title}>
        {title}
      </span>
      {props.isLeft && <span className="chip preview-left">branch that was left</span>}
      <span className="grow" />
      <CloseButton />
    </div>
  )
}

function CloseButton() {
  const { preview } = useStores()
  return (
    <IconButton
      label="Hide preview"
      keys="toggle-details"
      icon={X}
      size="medium"
      onClick={() => {
        preview.getState().setOpen(false)
        if (!focusOn('hits')) focusOn('search')
      }}
    />
  )
}

function Entries(props: {
  readonly of: ListedHit
  readonly rows: HitPreview
  readonly Rows: PreviewRows
}) {
  const { of, rows, Rows } = props
  const asked = useSearch((state) => state.asked)
  const { snippet, ranges } = of.hit
  const matches = ranges.map(([from, to]) => snippet.slice(from, to))
  const marked = [...new Set([...soughtTexts(asked ?? ''), ...matches])]
  if (rows.rows.length === 0)
    return <p className="preview-empty t3 small">This conversation has no entries.</p>
  return (
    <>
      {!rows.hasMatch && (
        <div className="preview-note">
          <p className="t3 small">
            The match is in a part of the {of.hit.field === 'damaged' ? 'line' : 'entry'} that is
            not shown below.
          </p>
          <p className="preview-snippet mono" dir="auto">
            <MarkedSnippet snippet={snippet} ranges={ranges} unitsBeforeMark={1000} />
          </p>
        </div>
      )}
      <Rows rows={rows} marked={marked} />
    </>
  )
}

function PreviewFoot({ found }: { readonly found: ListedHit }) {
  const stores = useStores()
  const actions = useActions()
  return (
    <div className="preview-foot">
      <Button isSmall kind="primary" onClick={() => void openHit(stores, actions, found)}>
        Open here
        <EnterHint />
      </Button>
    </div>
  )
}
