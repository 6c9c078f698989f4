import { ListTree } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { entryTimeMs } from '../../../shared/model/basics/time'
import { machineClock } from '../../../shared/model/basics/time-spec'
import type { PlaceWanted } from '../../../shared/model/landmarks/landmarks'
import { parseTypedPlace, type TypedPlace } from '../../../shared/model/landmarks/typed-place'
import { useActions, useLandmarks, useStores } from '../../state/context'
import { goToPlace, goToWanted } from '../../state/landmarks/go-to'
import { PickerField } from '../../ui/controls/PickerField'
import { formatCount, formatQuantity, shortTime } from '../../ui/format/format'
import { Sheet } from '../../ui/panes/Sheet'
import { KindSwitches } from './KindSwitches'
import { OutlineList } from './OutlineList'
import { countsOfKinds, matchingRows, type OutlineRow, rowAt } from './outline-rows'
import { useOutlineRows } from './use-outline-rows'

/** Dialog with the outline of the open conversation: its prompts and other landmarks, and a field that filters them and takes a number or a time. */
export function OutlineSheet() {
  const isOpen = useLandmarks((state) => state.isOpen)
  return isOpen ? <OpenOutline /> : null
}

function OpenOutline() {
  const stores = useStores()
  const { landmarks } = stores
  const actions = useActions()
  const rows = useOutlineRows()
  const kinds = useLandmarks((state) => state.kinds)
  const here = useLandmarks((state) => state.here)
  const entries = useLandmarks((state) => state.entries)
  const [typed, setTyped] = useState('')
  const [moved, setMoved] = useState<number>()
  const [fault, setFault] = useState<string>()
  /** Enter was pressed before anything was listed. */
  const [isWaiting, setWaiting] = useState(false)
  const isReading = useLandmarks((state) => state.isReading)
  const shownTyped = useDeferredValue(typed)
  const id = useId()
  /** The turn that one goes to has the focus. */
  const hasLanded = useRef(false)

  const nearMs = here === 'end' || here === undefined ? undefined : entryTimeMs(here.at)
  const lastMs = entryTimeMs(rows.at(-1)?.place.at)
  const wanted = useMemo(() => {
    const now = Date.now()
    return parseTypedPlace(shownTyped, machineClock(now), nearMs ?? lastMs ?? now)
  }, [shownTyped, nearMs, lastMs])
  const matching = useMemo(() => matchingRows(rows, kinds, shownTyped), [rows, kinds, shownTyped])
  const reader = here === 'end' ? Number.POSITIVE_INFINITY : (here?.number ?? 0)
  const current = useMemo(() => rowAt(matching, reader), [matching, reader])
  const first = wanted === undefined ? 0 : 1
  const count = matching.length + first
  const cursor = Math.min(moved ?? (shownTyped.trim() === '' ? Math.max(0, current) : 0), count - 1)
  const counts = useMemo(() => countsOfKinds(rows), [rows])

  async function goTyped(place: TypedPlace): Promise<void> {
    const missing = await goToWanted(stores, actions, wantedOf(place), () => {
      hasLanded.current = true
    })
    if (missing !== undefined) setFault(missing)
  }

  function goToRow(row: OutlineRow | undefined): void {
    if (row === undefined) return
    hasLanded.current = true
    void goToPlace(stores, actions, row.place)
  }

  function choose(index: number): void {
    if (index < first) {
      if (wanted !== undefined) void goTyped(wanted)
      return
    }
    goToRow(matching[index - first])
  }

  function chooseHere(): void {
    // The drawn rows may be a letter behind what is typed.
    if (typed === shownTyped) {
      choose(cursor)
      return
    }
    const now = Date.now()
    const place = parseTypedPlace(typed, machineClock(now), nearMs ?? lastMs ?? now)
    if (place === undefined) goToRow(matchingRows(rows, kinds, typed)[0])
    else void goTyped(place)
  }

  function enter(): void {
    // What is typed may be in a part that is not read yet: then the first that comes is meant.
    if (count > 0 || !isReading) chooseHere()
    else setWaiting(true)
  }
  useEffect(() => {
    if (!isWaiting || (count === 0 && isReading)) return
    setWaiting(false)
    if (count > 0) choose(cursor)
  })

  return (
    <Sheet
      title="Outline"
      className="outline-sheet"
      first='[role="combobox"]'
      onClose={() => landmarks.getState().close()}
      onClosed={() => hasLanded.current}
    >
      <PickerField
        icon={ListTree}
        label="Find a prompt, or go to a number or a time"
        placeholder="Words, an entry’s number, or a time: 14:05, yesterday, 2026-03-09"
        list={id}
        count={count}
        here={cursor}
        value={typed}
        onType={(value) => {
          setTyped(value)
          setMoved(undefined)
          setFault(undefined)
          setWaiting(false)
        }}
        onMove={setMoved}
        onEnter={enter}
      />
      <KindSwitches counts={counts} />
      <OutlineList
        id={id}
        rows={matching}
        typed={wanted === undefined ? undefined : wordsOf(wanted, entries)}
        cursor={cursor}
        isCentred={moved === undefined}
        current={shownTyped.trim() === '' ? current : -1}
        onChoose={choose}
      />
      <Foot fault={fault} shown={matching} hasTyped={wanted !== undefined} />
    </Sheet>
  )
}

/** Foot of the outline: what is listed and how much was read, or why the place is not there; spoken too. */
function Foot(props: {
  readonly fault: string | undefined
  readonly shown: readonly OutlineRow[]
  readonly hasTyped: boolean
}) {
  const { fault, shown, hasTyped } = props
  const entries = useLandmarks((state) => state.entries)
  const part = useLandmarks((state) => state.part)
  const isReading = useLandmarks((state) => state.isReading)
  const failure = useLandmarks((state) => state.failure)
  const words = wordsFor()

  function wordsFor(): string {
    if (fault !== undefined) return fault
    if (failure !== undefined) return failure.message
    const all = formatQuantity(entries, 'entry', 'entries')
    if (isReading && part < 1)
      return `Reading the conversation, ${Math.floor(part * 100)} %: ${all} so far`
    if (shown.length === 0) return hasTyped ? all : `Nothing to list in ${all}.`
    return `${formatCount(shown.length)} of ${all}`
  }
  return (
    <p
      className={`picker-count small ${(fault ?? failure) ? 'err-t' : 't3'}`}
      role="status"
      aria-label="Outline"
    >
      {words}
    </p>
  )
}

function wantedOf(place: TypedPlace): PlaceWanted {
  return place.type === 'number' ? { number: place.number } : { time: place.time }
}

function wordsOf(place: TypedPlace, entries: number): string {
  if (place.type === 'time') return `Go to ${shortTime(place.time * 1000)}`
  return entries >= place.number
    ? `Go to entry ${formatCount(place.number)} of ${formatCount(entries)}`
    : `Go to entry ${formatCount(place.number)}`
}
