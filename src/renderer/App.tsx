import { PanelLeft, PanelRight, SquarePen, X } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo } from 'react'
import type { MenuCommand } from '../shared/ipc/app'
import type { ConversationSummary } from '../shared/model/conversation'
import { NewConversation } from './composer/NewConversation'
import { OpenComposer } from './composer/OpenComposer'
import { Library } from './conversations/Library'
import { Details } from './details/Details'
import { FirstRun } from './first-run/FirstRun'
import { HomeProblem } from './first-run/HomeProblem'
import { SettingsView } from './settings/SettingsView'
import { isActive } from './state/completion'
import {
  useActions,
  useApp,
  useCompletion,
  useLayout,
  useLibraryState,
  useMenuCommand,
  useSettings,
  useStores,
  useTranscript,
  WindowProvider,
  type WindowState,
} from './state/context'
import { isPaneOpen, type LayoutStore, paneWidth, type SidePane } from './state/layout'
import { TranscriptPane } from './transcript/TranscriptPane'
import { Button, IconButton } from './ui/Button'
import { focusNextPane, focusOn, focusSoon } from './ui/focus'
import type { Highlighter } from './ui/highlighter'
import { useMedia } from './ui/hooks'
import { SourceMark } from './ui/Icon'
import { isComposing } from './ui/keys'
import { Note } from './ui/Note'
import { OverlayPane, Panes, type SidePaneView } from './ui/Panes'
import { TooltipDelay } from './ui/Tooltip'
import { type TextServices, TextServicesProvider } from './ui/text-services'

/** The whole window over the stores it is given: in Skein, or anywhere a page can be shown. */
export function App(props: { readonly state: WindowState; readonly highlighter: Highlighter }) {
  const { state, highlighter } = props
  const services = useMemo<TextServices>(
    () => ({
      highlighter,
      openLink: (url) => void state.stores.app.getState().openLink(url),
    }),
    [state, highlighter],
  )
  return (
    <WindowProvider value={state}>
      <TextServicesProvider value={services}>
        <TooltipDelay>
          <Window />
        </TooltipDelay>
      </TextServicesProvider>
    </WindowProvider>
  )
}

function Window() {
  const status = useApp((app) => app.status)
  const failure = useApp((app) => app.failure)
  const settings = useApp((app) => app.settings)
  useLook()
  useCommands()
  return (
    <div className="window">
      {/* What lies under Settings keeps its place, and takes no focus. */}
      <div className="window" inert={settings !== undefined}>
        {status?.phase === 'ready' ? (
          <Workspace />
        ) : status?.phase === 'first-run' ? (
          <FirstRun status={status} />
        ) : status !== undefined || failure !== undefined ? (
          <HomeProblem status={status} />
        ) : null}
      </div>
      {settings !== undefined && <SettingsView section={settings} />}
    </div>
  )
}

function Workspace() {
  const { layout } = useStores()
  const widths = useLayout((state) => state.widths)
  const overlays = useLayout((state) => state.overlays)
  const isLibraryOpen = useLayout((state) => isPaneOpen(state, 'library'))
  const isDetailsOpen = useLayout((state) => isPaneOpen(state, 'details'))
  useWindowWidth()

  const hide = (pane: SidePane) => {
    layout.getState().toggle(pane)
    focusSoon('composer')
  }
  const views = {
    library: <Library onHide={() => hide('library')} />,
    details: <Details onHide={() => hide('details')} />,
  }
  const docked = (pane: SidePane, isOpen: boolean): SidePaneView | undefined =>
    isOpen && !overlays[pane]
      ? {
          name: pane,
          content: views[pane],
          width: widths[pane],
          onResize: (width) => layout.getState().setWidth(pane, width),
        }
      : undefined
  const overlay = (pane: SidePane, isOpen: boolean, side: 'left' | 'right') =>
    isOpen &&
    overlays[pane] && (
      <OverlayPane side={side} width={widths[pane]} onClose={() => hide(pane)}>
        {views[pane]}
      </OverlayPane>
    )
  return (
    <>
      <Panes
        left={docked('library', isLibraryOpen)}
        middle={<Middle isLibraryOpen={isLibraryOpen} isDetailsOpen={isDetailsOpen} />}
        right={docked('details', isDetailsOpen)}
        bounds={paneWidth}
      />
      {overlay('library', isLibraryOpen, 'left')}
      {overlay('details', isDetailsOpen, 'right')}
    </>
  )
}

function Middle(props: { readonly isLibraryOpen: boolean; readonly isDetailsOpen: boolean }) {
  const { isLibraryOpen, isDetailsOpen } = props
  const { layout, app } = useStores()
  const { newConversation } = useActions()
  const place = useApp((state) => state.place)
  const phase = useTranscript((state) => state.phase)
  const outsideFailure = useApp((state) => state.outsideFailure)
  const key = place.type === 'conversation' ? place.key : undefined
  const summary = useLibraryState(({ conversations }) =>
    conversations.find((known) => known.key === key),
  )
  return (
    <main className="page" aria-label="Conversation">
      <div className="bar conversation-bar">
        {!isLibraryOpen && (
          <>
            <IconButton
              label="Show library"
              keys={['Ctrl', 'B']}
              icon={PanelLeft}
              onClick={() => {
                layout.getState().toggle('library')
                focusSoon('library')
              }}
            />
            <IconButton
              label="New conversation"
              keys={['Ctrl', 'N']}
              icon={SquarePen}
              onClick={newConversation}
            />
          </>
        )}
        <span className="row-x grow">
          {key !== undefined && <Title contextKey={key} summary={summary} />}
        </span>
        <IconButton
          label={isDetailsOpen ? 'Hide details' : 'Show details'}
          keys={['Ctrl', 'Alt', 'B']}
          icon={PanelRight}
          isPressed={isDetailsOpen}
          onClick={() => layout.getState().toggle('details')}
        />
      </div>
      {outsideFailure !== undefined && (
        <Note
          tone="error"
          isBar
          title="Not opened."
          detail={outsideFailure.detail}
          actions={
            <Button
              kind="ghost"
              isSmall
              icon={X}
              onClick={() => app.getState().dismissOutsideFailure()}
            >
              Dismiss
            </Button>
          }
        >
          {outsideFailure.message}
        </Note>
      )}
      {place.type === 'none' && <NothingOpen />}
      {place.type === 'draft' && <NewConversation />}
      {place.type === 'conversation' && (
        <>
          <TranscriptPane sizeBytes={summary?.bytes} />
          {phase !== 'failed' && <OpenComposer key={place.key} contextKey={place.key} />}
        </>
      )}
    </main>
  )
}

function Title(props: {
  readonly contextKey: string
  readonly summary: ConversationSummary | undefined
}) {
  const { contextKey, summary } = props
  const isRunning = useCompletion(({ runs }) => isActive(runs[contextKey]))
  const isLive = isRunning || summary?.running === true || summary?.lock.state === 'ours'
  return (
    <>
      <SourceMark source={summary?.source ?? 'chibi'} />
      <h1 className="conversation-title cut">{summary?.title ?? contextKey}</h1>
      {summary?.project != null && <span className="t3 small cut">{summary.project}</span>}
      {isLive && <span className="live">live</span>}
    </>
  )
}

function NothingOpen() {
  const { newConversation } = useActions()
  const isEmpty = useLibraryState(
    ({ conversations, phase }) => phase === 'ready' && conversations.length === 0,
  )
  return (
    <div className="words">
      <h2>{isEmpty ? 'No conversations yet' : 'Nothing is open'}</h2>
      <p>
        {isEmpty
          ? 'The first message makes one.'
          : 'Choose a conversation in the library, or begin a new one.'}
      </p>
      <div className="words-actions">
        <Button kind="primary" keys={['Ctrl', 'N']} onClick={newConversation}>
          {isEmpty ? 'Write the first message' : 'New conversation'}
        </Button>
      </div>
    </div>
  )
}

/** Theme, contrast, density and text zoom, on the root element. */
function useLook(): void {
  const preferences = useSettings(({ view }) => view?.preferences)
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const wantsContrast = useMedia('(prefers-contrast: more)')
  const {
    theme = 'system',
    contrast = 'system',
    density = 'comfortable',
    textZoom = 1,
  } = preferences ?? {}
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset.theme = theme === 'system' ? (isDark ? 'dark' : 'light') : theme
    root.dataset.contrast =
      contrast === 'more' || (contrast === 'system' && wantsContrast) ? 'more' : 'normal'
    root.dataset.density = density
    root.style.setProperty('--text-zoom', String(textZoom))
  }, [theme, contrast, density, textZoom, isDark, wantsContrast])
}

function useWindowWidth(): void {
  const { layout } = useStores()
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  useLayoutEffect(() => {
    const follow = () => layout.getState().setWindowWidth(window.innerWidth, textZoom)
    follow()
    window.addEventListener('resize', follow)
    return () => window.removeEventListener('resize', follow)
  }, [layout, textZoom])
}

/** Keys that work everywhere, and the same commands from the menu. */
function useCommands(): void {
  const { app, layout } = useStores()
  const actions = useActions()
  const run = useCallback(
    (command: MenuCommand) => {
      const isReady = app.getState().status?.phase === 'ready'
      if (command.startsWith('zoom-'))
        return actions.zoom(command.slice(5) as 'in' | 'out' | 'reset')
      if (command === 'settings') return app.getState().openSettings('model')
      if (!isReady || app.getState().settings !== undefined) return
      switch (command) {
        case 'new-conversation':
          actions.newConversation()
          return focusSoon('composer')
        case 'filter':
          layout.getState().open('library')
          return focusSoon('filter')
        case 'toggle-library':
        case 'toggle-details': {
          const pane = command === 'toggle-library' ? 'library' : 'details'
          layout.getState().toggle(pane)
          return focusSoon(isPaneOpen(layout.getState(), pane) ? pane : 'composer')
        }
      }
    },
    [app, layout, actions],
  )
  useMenuCommand(run)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event)
      if (command !== undefined) {
        // So that the menu does not do the same once more.
        event.preventDefault()
        run(command)
      } else if (event.key === 'F6') {
        event.preventDefault()
        focusNextPane(event.shiftKey ? -1 : 1)
      } else if (event.key === 'Escape' && !event.defaultPrevented && !isComposing(event)) {
        goOut(layout)
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [run, layout])
}

function commandOf(event: KeyboardEvent): MenuCommand | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey) return undefined
  const key = event.key.toLowerCase()
  if (event.altKey) return key === 'b' ? 'toggle-details' : undefined
  const commands: Readonly<Record<string, MenuCommand>> = {
    n: 'new-conversation',
    k: 'filter',
    b: 'toggle-library',
    ',': 'settings',
    '=': 'zoom-in',
    '+': 'zoom-in',
    '-': 'zoom-out',
    '0': 'zoom-reset',
  }
  return commands[key]
}

/** Esc: from a control of a turn to the turn, from a pane that lies over others back under it, else to the composer. */
function goOut(layout: LayoutStore): void {
  const here = document.activeElement
  const turn = here?.closest<HTMLElement>('[data-item]')
  if (turn != null && turn !== here) {
    turn.focus({ preventScroll: true })
  } else {
    layout.getState().closeOverlay()
    focusOn('composer')
  }
}
