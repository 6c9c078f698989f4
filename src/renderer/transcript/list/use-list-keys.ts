import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useActions, useStores } from '../../state/context'
import { labelSpot } from '../../state/transcript-state'
import { isPlainKey } from '../../ui/behaviour/keys'
import { branchPointOf } from '../items/branch-points'
import { copyTextOf, sourceLinesOf } from '../items/items'
import { labelPointOf } from '../items/label-points'
import { sentAnswerIdOf } from '../items/sent-answer'
import type { ListItem } from '../items/use-items'
import { useTurnActions } from '../parts/use-turn-actions'

/**
 * Handles the keys of the transcript: J and K by turn, C copy, B branch, E edit, [ and ] at a fork, R source line, W
 * request, L label, O fold, Shift+O all tools, S prompts and last answers alone, N what is new, Home and End.
 */
export function useListKeys(options: {
  readonly items: readonly ListItem[]
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  readonly scroller: HTMLDivElement
}): { readonly onKeyDown: (event: KeyboardEvent) => void } {
  const { items, virtualizer, scroller } = options
  const stores = useStores()
  const { transcript, reading, branches } = stores
  const { goToNews } = useActions()
  const turnActs = useTurnActions()
  /** Key of the item whose turn is focused once it is on the page. */
  const wanted = useRef<string>(undefined)
  const latest = useRef<(event: globalThis.KeyboardEvent) => void>(undefined)

  useEffect(() => {
    if (wanted.current === undefined) return
    const turn = turnElementOf(scroller, wanted.current)
    if (turn === null) return
    wanted.current = undefined
    turn.focus({ preventScroll: true })
  })

  function focusItem(index: number): void {
    const item = items[index]
    if (item === undefined) return
    virtualizer.scrollToIndex(index, { align: 'auto' })
    const turn = turnElementOf(scroller, item.key)
    if (turn === null) wanted.current = item.key
    else turn.focus({ preventScroll: true })
  }

  function step(by: 1 | -1): void {
    const here = currentIndex(items, virtualizer)
    const isOnTurn = document.activeElement?.closest('[data-item]') != null
    let index = isOnTurn ? here + by : here
    while (items[index]?.type === 'day' || items[index]?.type === 'news') index += by
    focusItem(index)
  }

  async function goToStart(): Promise<void> {
    await transcript.getState().goToStart()
    scroller.scrollTo({ top: 0 })
  }

  async function goToEnd(): Promise<void> {
    await transcript.getState().goToEnd()
    reading.getState().askForEnd()
  }

  function onItem(act: (item: ListItem) => void): void {
    const item = items[currentIndex(items, virtualizer)]
    if (item !== undefined) act(item)
  }

  function copy(item: ListItem): void {
    if (item.type === 'unwritten') return
    const text = item.type === 'live' ? item.run.content : copyTextOf(item)
    // The copy button reports a refused clipboard; a key has no place for a message.
    void navigator.clipboard.writeText(text).catch(() => undefined)
  }

  function toggleRaw(item: ListItem): void {
    if (item.type === 'live' || item.type === 'unwritten') return
    turnActs.toggleRaw(item.key, sourceLinesOf(item))
  }

  function showSent(item: ListItem): void {
    const answer = sentAnswerIdOf(items, item)
    if (answer !== undefined) turnActs.showSent(answer)
  }

  function label(item: ListItem): void {
    const { key } = transcript.getState()
    const point = labelPointOf(item)
    if (key !== undefined && point !== undefined)
      turnActs.label(labelSpot(stores, key, point, item.key))
  }

  function fold(item: ListItem): void {
    turnElementOf(scroller, item.key)
      ?.querySelector<HTMLElement>('.fold, .seam > button, .damage > button')
      ?.click()
  }

  function branch(item: ListItem): void {
    const point = branchPointOf(item)
    if (point !== undefined) turnActs.branch(item.key, point)
  }

  function edit(item: ListItem): void {
    const point = branchPointOf(item)
    if (point?.speaker === 'user') turnActs.openEdit(item.key, point)
  }

  function stepWay(item: ListItem, by: 1 | -1): void {
    if (item.type === 'live' || item.type === 'unwritten') return
    const { forks } = branches.getState()
    const fork = sourceLinesOf(item)
      .map(({ id }) => (id === undefined ? undefined : forks.get(id)))
      .find((found) => found !== undefined)
    if (fork !== undefined) turnActs.goWay(fork, fork.index + by, turnElementOf(scroller, item.key))
  }

  const acts: Readonly<Record<string, () => void>> = {
    j: () => step(1),
    k: () => step(-1),
    c: () => onItem(copy),
    b: () => onItem(branch),
    e: () => onItem(edit),
    '[': () => onItem((item) => stepWay(item, -1)),
    ']': () => onItem((item) => stepWay(item, 1)),
    r: () => onItem(toggleRaw),
    w: () => onItem(showSent),
    l: () => onItem(label),
    o: () => onItem(fold),
    n: () => goToNews(),
    s: () => reading.getState().toggleSkimming(),
    home: () => void goToStart(),
    end: () => void goToEnd(),
  }
  latest.current = (event) => {
    const isAllTools = event.shiftKey && event.key.toLowerCase() === 'o'
    const act = isAllTools ? reading.getState().toggleTools : acts[event.key.toLowerCase()]
    // Many keyboards have the brackets on AltGr, which Windows reports as Ctrl and Alt.
    const isBracket = event.getModifierState('AltGraph') && '[]'.includes(event.key)
    if (act === undefined || !(isBracket || isPlainKey(event))) return
    event.preventDefault()
    act()
  }

  // The scroller itself may have the focus, and it is outside of the rows.
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.target === scroller) latest.current?.(event)
    }
    scroller.addEventListener('keydown', listen)
    return () => scroller.removeEventListener('keydown', listen)
  }, [scroller])

  return {
    onKeyDown(event) {
      // React also brings keys of menus, which are elsewhere on the page.
      const { target } = event
      if (target instanceof Node && event.currentTarget.contains(target))
        latest.current?.(event.nativeEvent)
    },
  }
}

/** Returns the index of the focused item, else of the first one that is visible from its top. */
function currentIndex(
  items: readonly ListItem[],
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>,
): number {
  const focused = document.activeElement?.closest('[data-item]')?.getAttribute('data-item')
  const index = items.findIndex(({ key }) => key === focused)
  if (index >= 0) return index
  const top = virtualizer.scrollOffset ?? 0
  return virtualizer.getVirtualItems().find(({ start }) => start >= top)?.index ?? items.length - 1
}

/** Returns the element of an item's turn; null while it is not on the page. */
export function turnElementOf(scroller: HTMLElement, key: string): HTMLElement | null {
  return scroller.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`)
}
