import { X } from 'lucide-react'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { hasTag, longestTag, mostTags, tagLine } from '../../shared/model/conversation/tag'
import { useLibraryState, useStores, useTags } from '../state/context'
import { useTagsInUse, useTagsOf } from '../state/context-state'
import { Button } from '../ui/controls/Button'
import { HintedField } from '../ui/controls/HintedField'
import { TagList } from '../ui/controls/TagList'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { Sheet } from '../ui/panes/Sheet'

/** Most tags of other conversations that are offered. */
const mostOffered = 12

/** Dialog for the tags of a conversation: each is added and removed at once. */
export function TagQuestion({ before }: { readonly before: RefObject<Element | null> }) {
  const key = useTags((state) => state.key)
  const isFromMenu = useTags((state) => state.isFromMenu)
  return (
    key !== undefined && <TagSheet key={key} tagged={key} {...(isFromMenu ? { before } : {})} />
  )
}

function TagSheet(props: {
  readonly tagged: LibraryKey
  readonly before?: RefObject<Element | null>
}) {
  const { tagged, before } = props
  const { tags: store, app } = useStores()
  const title = useLibraryState(
    ({ conversations }) => conversations.find(({ key }) => key === tagged)?.title,
  )
  const tags = useTagsOf(tagged) ?? []
  const isBusy = useTags((state) => state.isBusy)
  const failure = useTags((state) => state.failure)
  const told = useTags((state) => state.told)
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const isFull = tags.length >= mostTags
  const fault = faultOf(text, tags)
  const leave = () => store.getState().leave()

  /** Changes the tags; the focus goes to the field, since the pressed button may be gone then. */
  async function change(act: Promise<boolean>, isTyped = false): Promise<void> {
    field.current?.focus()
    if ((await act) && isTyped) setText('')
  }
  function add(event: FormEvent): void {
    event.preventDefault()
    if (fault === undefined && text.trim() !== '') void change(store.getState().add(text), true)
  }
  return (
    <Sheet
      title="Tags"
      about={title ?? tagged}
      {...(before === undefined ? {} : { before })}
      onClose={leave}
    >
      <form onSubmit={add}>
        <div className="dialog-body question">
          {tags.length === 0 ? (
            <p className="t2">No tags yet.</p>
          ) : (
            <TagList
              label="Tags"
              tags={tags}
              actLabel={(tag) => `Remove ${tag}`}
              icon={X}
              onPress={(tag) => void change(store.getState().remove(tag))}
            />
          )}
          <HintedField
            ref={field}
            label="New tag"
            value={text}
            fault={fault}
            hint={
              isFull
                ? `A conversation has at most ${mostTags} tags.`
                : 'Enter adds it. No file of the conversation is changed.'
            }
            onChange={setText}
          />
          <LiveRegion label="Tags">{told}</LiveRegion>
          <Offered
            tags={tags}
            text={text}
            onAdd={(tag) => void change(store.getState().add(tag), true)}
          />
          {failure !== undefined && (
            <RefusalNote
              title="The tags were not changed."
              refusal={failure}
              isTextKept={false}
              onSettings={() => {
                leave()
                app.getState().openSettings('model')
              }}
              onDismiss={() => store.getState().dismissFailure()}
            />
          )}
        </div>
        <footer className="dialog-foot">
          <span className="grow" />
          <Button onClick={leave}>Done</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={isBusy}
            isDisabled={fault !== undefined || isFull || text.trim() === ''}
          >
            Add tag
          </Button>
        </footer>
      </form>
    </Sheet>
  )
}

/** Tags of other conversations that match the typed text. */
function Offered(props: {
  readonly tags: readonly string[]
  readonly text: string
  readonly onAdd: (tag: string) => void
}) {
  const { tags, text, onAdd } = props
  const inUse = useTagsInUse()
  const typed = text.trim().toLowerCase()
  const offered = inUse
    .map(({ tag }) => tag)
    .filter((tag) => !hasTag(tags, tag) && tag.toLowerCase().includes(typed))
    .slice(0, mostOffered)
  if (offered.length === 0 || tags.length >= mostTags) return null
  return (
    <>
      <p className="label">In use</p>
      <TagList
        label="Tags in use"
        tags={offered}
        actLabel={(tag) => `Add ${tag}`}
        isOffer
        onPress={onAdd}
      />
    </>
  )
}

function faultOf(text: string, tags: readonly string[]): string | undefined {
  if (text.trim() === '') return undefined
  const tag = tagLine(text)
  if (tag === undefined) return `A tag has 1 to ${longestTag} visible characters.`
  return hasTag(tags, tag) ? 'The conversation has this tag.' : undefined
}
