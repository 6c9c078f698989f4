import { type FormEvent, useRef, useState } from 'react'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { hasTag, longestTag, tagLine } from '../../../shared/model/conversation/tag'
import { useActions } from '../../state/context'
import { useTagsInUse } from '../../state/context-state'
import { focusLibrary } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { HintedField } from '../../ui/controls/HintedField'
import { TagList } from '../../ui/controls/TagList'
import { formatQuantity } from '../../ui/format/format'
import { Sheet } from '../../ui/panes/Sheet'

/** Most tags in use that are offered. */
const mostOffered = 12

/** Dialog that gives a tag to all chosen conversations, or takes one away that some of them have. */
export function TagChosen(props: {
  readonly rows: readonly ConversationSummary[]
  readonly onClose: () => void
}) {
  const { rows, onClose } = props
  const { changeChosen } = useActions()
  /** The button that opened the dialog goes with the act. */
  const isActing = useRef(false)
  const [text, setText] = useState('')
  const inUse = useTagsInUse().map(({ tag }) => tag)
  const here = inUse.filter((tag) => rows.some(({ tags }) => hasTag(tags, tag)))
  const offered = inUse
    .filter((tag) => tag.toLowerCase().includes(text.trim().toLowerCase()))
    .filter((tag) => !rows.every(({ tags }) => hasTag(tags, tag)))
    .slice(0, mostOffered)
  const fault =
    text.trim() === '' || tagLine(text) !== undefined
      ? undefined
      : `A tag has 1 to ${longestTag} visible characters.`

  /** Only those that change, so that an undo leaves the others as they were. */
  function change(type: 'tagged' | 'untagged', tag: string): void {
    const keys = rows
      .filter(({ tags }) => hasTag(tags, tag) === (type === 'untagged'))
      .map(({ key }) => key)
    isActing.current = true
    onClose()
    void changeChosen({ type, tag }, keys)
  }
  function add(event: FormEvent): void {
    event.preventDefault()
    const tag = tagLine(text)
    if (tag !== undefined) change('tagged', tag)
  }
  return (
    <Sheet
      title="Tag"
      about={formatQuantity(rows.length, 'conversation')}
      first="input"
      onClose={onClose}
      onClosed={() => isActing.current && focusLibrary()}
    >
      <form onSubmit={add}>
        <div className="dialog-body question">
          <HintedField
            label="New tag"
            value={text}
            fault={fault}
            hint="Enter gives it to all of them. No file of a conversation is changed."
            onChange={setText}
          />
          {offered.length > 0 && (
            <>
              <p className="label">In use</p>
              <TagList
                label="Tags in use"
                tags={offered}
                actLabel={(tag) => `Add ${tag}`}
                isOffer
                onPress={(tag) => change('tagged', tag)}
              />
            </>
          )}
          {here.length > 0 && (
            <>
              <p className="label">Take away</p>
              <TagList
                label="Tags to take away"
                tags={here}
                actLabel={(tag) => `Take ${tag} away`}
                isOffer
                onPress={(tag) => change('untagged', tag)}
              />
            </>
          )}
        </div>
        <footer className="dialog-foot">
          <span className="grow" />
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={fault !== undefined || text.trim() === ''}
          >
            Add tag
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}
