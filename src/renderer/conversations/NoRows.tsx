import type { ReactNode } from 'react'
import { sourceLabel } from '../../shared/model/conversation/sources'
import { smartLists } from '../../shared/model/lists/smart-lists'
import { useContexts, useLibraryState, useReadList, useStores } from '../state/context'
import { focusTarget } from '../ui/behaviour/focus'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { FailureNote } from '../ui/notes/FailureNote'
import { shortProject } from './filters/short-project'
import { useHiddenMatches } from './filters/use-filtered'

/** Says why the library shows no conversation, and offers what shows some. */
export function NoRows(props: { readonly searchContents: (words: string) => void }) {
  const { library } = useStores()
  const isEmpty = useLibraryState(({ conversations }) => conversations.length === 0)
  const hasHidden = useLibraryState(({ conversations }) =>
    conversations.some(({ hidden }) => hidden === true),
  )
  const filter = useLibraryState((state) => state.filter)
  const source = useLibraryState((state) => state.source)
  const tag = useLibraryState((state) => state.tag)
  const color = useLibraryState((state) => state.color)
  const project = useLibraryState((state) => state.project)
  const list = useLibraryState((state) => state.list)
  const picked = useLibraryState((state) => state.picked)
  const showsArchived = useContexts((state) => state.showsArchived)
  const isFinding = useReadList((state) => state.list !== undefined && state.keys === undefined)
  const reading = useReadList((state) => state.reading)
  const failure = useReadList((state) => state.failure)
  const isReadList = useReadList((state) => state.list === list)
  const unread = useReadList((state) => state.unread)
  const others = [source, tag, color, project, list].filter((one) => one !== undefined).length

  if (filter !== '')
    return (
      <Words text={`No title contains “${filter}”.`}>
        <Button isSmall onClick={() => props.searchContents(filter)}>
          Search the contents
        </Button>
        <Button isSmall onClick={() => library.getState().setFilter('')}>
          Show all
        </Button>
      </Words>
    )
  if (list !== undefined && failure !== undefined) return <UnreadList />
  if (list !== undefined && (isFinding || reading !== undefined))
    return (
      <Words
        text={
          reading === undefined || reading.total === 0
            ? 'Reading conversations…'
            : `${reading.read} of ${formatQuantity(reading.total, 'conversation')} read. What fits is listed as it is found.`
        }
      >
        <Button isSmall onClick={() => library.getState().setList(undefined)}>
          Show all
        </Button>
      </Words>
    )
  if (others > 1)
    return (
      <Words text="No conversation fits all of these filters.">
        <ShowAll
          onClick={() => {
            library.getState().setSource(undefined)
            library.getState().setTag(undefined)
            library.getState().setColor(undefined)
            library.getState().setProject(undefined)
            library.getState().setList(undefined)
          }}
        />
      </Words>
    )
  if (list !== undefined)
    return (
      <Words text={`${smartLists[list].holds}: none here.${isReadList ? unreadWords(unread) : ''}`}>
        <ShowAll onClick={() => library.getState().setList(undefined)} />
      </Words>
    )
  if (project !== undefined)
    return (
      <Words text={`No conversation here is of the project “${shortProject(project)}”.`}>
        <ShowAll onClick={() => library.getState().setProject(undefined)} />
      </Words>
    )
  if (tag !== undefined)
    return (
      <Words text={`No conversation here has the tag “${tag}”.`}>
        <ShowAll onClick={() => library.getState().setTag(undefined)} />
      </Words>
    )
  if (color !== undefined)
    return (
      <Words text={`No conversation here is ${color}.`}>
        <ShowAll onClick={() => library.getState().setColor(undefined)} />
      </Words>
    )
  if (source !== undefined)
    return (
      <Words
        text={
          showsArchived
            ? `No archived conversations from ${sourceLabel(source)}.`
            : `No conversations from ${sourceLabel(source)}.`
        }
      >
        <ShowAll onClick={() => library.getState().setSource(undefined)} />
      </Words>
    )
  if (picked !== undefined)
    return <Words text="None of these conversations is in the library any more." />
  if (hasHidden)
    return (
      <Words text="Your other conversations are hidden or archived." namesHidden>
        <Button isSmall onClick={() => library.getState().setList('hidden')}>
          Show hidden
        </Button>
      </Words>
    )
  return (
    <Words
      text={
        isEmpty
          ? 'No conversations yet. Write a message to start one.'
          : 'All conversations are archived.'
      }
    />
  )
}

/** Says of how many conversations not all could be read, behind a sentence; nothing for none. */
function unreadWords(unread: number): string {
  if (unread === 0) return ''
  return ` ${formatQuantity(unread, 'conversation')} could not be read whole, and may belong here.`
}

/** Note that a list is not whole: its conversations could not be read. Nothing where they were. */
export function UnreadList() {
  const { readList } = useStores()
  const failure = useReadList((state) => state.failure)
  const unread = useReadList((state) => state.unread)
  if (failure === undefined && unread > 0)
    return (
      <p className="library-words t2" role="status">
        {unreadWords(unread).trim()}
      </p>
    )
  if (failure === undefined) return null
  return (
    <div className="library-words">
      <FailureNote
        title="The conversations could not be read."
        failure={failure}
        onAgain={() => void readList.getState().load()}
      />
    </div>
  )
}

function Words(props: {
  readonly text: string
  /** The text speaks of hidden conversations already. */
  readonly namesHidden?: boolean
  readonly children?: ReactNode
}) {
  return (
    <div className="library-words" {...focusTarget('no-rows')}>
      <p className="t2">{props.text}</p>
      {props.children}
      {props.namesHidden !== true && <HiddenMatches />}
    </div>
  )
}

/** Says how many hidden conversations fit, and shows them; nothing where none does. */
function HiddenMatches() {
  const { library } = useStores()
  const count = useHiddenMatches()
  if (count === 0) return null
  return (
    <>
      <p className="t2">
        {formatQuantity(count, 'hidden conversation')} {count === 1 ? 'fits' : 'fit'}.
      </p>
      <Button isSmall onClick={() => library.getState().setList('hidden')}>
        Show hidden
      </Button>
    </>
  )
}

function ShowAll({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button isSmall onClick={onClick}>
      Show all
    </Button>
  )
}
