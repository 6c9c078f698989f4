import { useEffect, useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import { usePlugins, useStores } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { FailureNote } from '../../ui/notes/FailureNote'
import { LiveRegion } from '../../ui/notes/LiveRegion'
import { Note } from '../../ui/notes/Note'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { PluginPreviewPane } from './PluginPreviewPane'
import { PluginRow } from './PluginRow'

/** Section of Settings for the plugins in the home's folder. */
export function PluginsSection() {
  const { plugins } = useStores()
  const view = usePlugins((state) => state.view)
  const failure = usePlugins((state) => state.failure)
  const refusal = usePlugins((state) => state.refusal)
  const look = usePlugins((state) => state.look)
  const busy = usePlugins((state) => state.busy)
  const news = usePlugins((state) => state.news)
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    void plugins.getState().load()
    return () => plugins.getState().leave()
  }, [plugins])

  /** Focuses a control of the plugin after an action: the pressed one is gone. */
  function focusOn(name: string): void {
    focusWhenDrawn(() => {
      const row = list.current?.querySelector(`[data-plugin="${CSS.escape(name)}"]`)
      return row?.querySelector<HTMLElement>('[data-plugin-control]')
    })
  }

  return (
    <>
      {failure !== undefined && (
        <FailureNote
          title="The plugins could not be listed."
          failure={failure}
          onAgain={() => void plugins.getState().load()}
        />
      )}
      {view !== undefined && (
        <>
          <p className="plugin-intro t2">
            Programs in <span className="mono small">{visibleText(view.folder)}</span> give the
            model tools or react to events of a run. None runs until you trust it.
          </p>
          {view.problem !== null && <Note tone="warn">{visibleText(view.problem)}</Note>}
          {view.plugins.length === 0 && <p className="plugin-intro t3">No plugins.</p>}
          <RefusalNote title="Nothing was changed." refusal={refusal} />
          <div ref={list}>
            {view.plugins.map((plugin) => {
              const { name } = plugin
              return (
                <div key={name} className="plugin-item">
                  <PluginRow
                    plugin={plugin}
                    isBusy={busy === name}
                    canRun={view.canRun}
                    onLook={() => void plugins.getState().lookAt(name)}
                    onDistrust={async () => {
                      if (await plugins.getState().distrust(name)) focusOn(name)
                    }}
                    onAskAgain={() => void plugins.getState().askAgain(name)}
                  />
                  {look?.name === name && (
                    <PluginPreviewPane
                      look={look}
                      isBusy={busy === name}
                      onTrust={async () => {
                        if (await plugins.getState().trust()) focusOn(name)
                      }}
                      onCancel={() => {
                        plugins.getState().closeLook()
                        focusOn(name)
                      }}
                    />
                  )}
                </div>
              )
            })}
          </div>
          <LiveRegion>{visibleText(news)}</LiveRegion>
        </>
      )}
    </>
  )
}
