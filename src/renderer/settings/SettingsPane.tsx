import {
  ArrowLeft,
  Box,
  Database,
  FileText,
  Folder,
  Info,
  Keyboard,
  type LucideIcon,
  Plug,
  Share,
  SquareSlash,
  Sun,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isKeyFault } from '../../shared/model/settings/settings'
import { type SettingsSection, settingsSections } from '../state/app/app'
import { useSettings, useStores } from '../state/context'
import { IconButton } from '../ui/controls/Button'
import { useKeyTable } from '../ui/controls/command-keys'
import { Icon, Logo } from '../ui/controls/Icon'
import { FailureNote } from '../ui/notes/FailureNote'
import { AboutSection } from './AboutSection'
import { AppearanceSection } from './AppearanceSection'
import { ConfigSection } from './config/ConfigSection'
import { OriginPane } from './config/OriginPane'
import { ExportsSection } from './ExportsSection'
import { KeyboardSection } from './keyboard/KeyboardSection'
import { ModelSection } from './model/ModelSection'
import { ProvidersSection } from './model/ProvidersSection'
import { PluginsSection } from './plugins/PluginsSection'
import type { ExplainedSetting } from './rows/origins'
import { StorageSection } from './StorageSection'
import { SourcesSection } from './sources/SourcesSection'
import { PromptsSection } from './texts/PromptsSection'
import { TextsSection } from './texts/TextsSection'

const sections: Readonly<
  Record<SettingsSection, { readonly about: string; readonly icon: LucideIcon }>
> = {
  appearance: { about: 'the same for every home', icon: Sun },
  keyboard: { about: 'shortcuts, and keys of your own', icon: Keyboard },
  model: { about: 'default for all conversations', icon: Box },
  sources: {
    about: 'other systems’ histories, read and never written',
    icon: Folder,
  },
  texts: { about: 'sent to models in every conversation', icon: FileText },
  prompts: { about: 'typed with / in a message', icon: SquareSlash },
  plugins: { about: 'programs that extend Skein', icon: Plug },
  exports: { about: 'what nobody else is to read', icon: Share },
  storage: { about: 'where your conversations are', icon: Database },
  about: { about: 'versions and licences', icon: Info },
}

/** View of Settings, with the pane that explains a value's origin. */
export function SettingsPane(props: { readonly section: SettingsSection }) {
  const { section } = props
  const { app, settings } = useStores()
  const [explained, setExplained] = useState<ExplainedSetting>('model')
  const failure = useSettings((state) => state.failure)
  const isHere = useSettings(({ view }) => view !== undefined)
  const back = useRef<HTMLDivElement>(null)
  const name = settingsSections[section]
  const { about } = sections[section]

  // Files may be edited elsewhere, so they are read when Settings opens and when the window gets the focus.
  useEffect(() => {
    const load = () => {
      void settings.getState().load()
      // Another program may have given the key back.
      void app.getState().loadQuickKey()
    }
    load()
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [app, settings])

  // The focus goes to the start of Settings, and back when it closes.
  useEffect(() => {
    const before = document.activeElement
    back.current?.querySelector('button')?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    <div className="settings">
      <nav className="pane settings-nav" aria-label="Settings sections">
        <div className="bar chrome" ref={back}>
          <Logo />
          <IconButton
            label="Back"
            keys={['Esc']}
            icon={ArrowLeft}
            onClick={() => app.getState().closeSettings()}
          />
          <h1 className="strong settings-title">Settings</h1>
        </div>
        <div className="settings-links">
          {Object.entries(sections).map(([key, link]) => (
            <SectionLink
              key={key}
              section={key as SettingsSection}
              icon={link.icon}
              name={settingsSections[key as SettingsSection]}
              isOpen={key === section}
            />
          ))}
        </div>
      </nav>
      <main className="page settings-page" aria-label={name}>
        <div className="bar">
          <h2 className="strong">{name}</h2>
          <span className="t3 small">{about}</span>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys, also where nothing in it takes the focus */}
        <section className="scroll settings-scroll" aria-label={name} tabIndex={0}>
          {failure !== undefined && (
            <FailureNote
              title="The settings could not be read."
              failure={failure}
              onAgain={() => void settings.getState().load()}
            />
          )}
          {isHere && section === 'appearance' && <AppearanceSection />}
          {section === 'keyboard' && <KeyboardSection />}
          {isHere && section === 'model' && (
            <ModelSection explained={explained} onExplain={setExplained} />
          )}
          {isHere && section === 'model' && <ProvidersSection />}
          {isHere && section === 'model' && (
            <ConfigSection
              groups={['model', 'run', 'tools', 'parameters', 'compaction']}
              besides={['model', 'base_url']}
              explained={explained}
              onExplain={setExplained}
            />
          )}
          {section === 'sources' && <SourcesSection />}
          {section === 'texts' && <TextsSection />}
          {section === 'prompts' && <PromptsSection />}
          {section === 'plugins' && <PluginsSection />}
          {isHere && section === 'exports' && <ExportsSection />}
          {section === 'storage' && <StorageSection />}
          {section === 'about' && <AboutSection />}
          {isHere && section === 'storage' && (
            <ConfigSection groups={['storage']} explained={explained} onExplain={setExplained} />
          )}
        </section>
      </main>
      {(section === 'model' || (section === 'storage' && explained.startsWith('config:'))) && (
        <OriginPane explained={explained} />
      )}
    </div>
  )
}

function SectionLink(props: {
  readonly section: SettingsSection
  readonly icon: LucideIcon
  readonly name: string
  readonly isOpen: boolean
}) {
  const { section, icon, name, isOpen } = props
  const { app } = useStores()
  const { problems } = useKeyTable()
  const faults = useSettings(({ view }) => {
    const all = view?.faults ?? []
    const ofKeys = all.filter(isKeyFault).length
    if (section === 'keyboard') return ofKeys + problems.length
    return section === 'model' ? all.length - ofKeys : 0
  })
  return (
    <button
      type="button"
      className={`settings-link ${isOpen ? 'selected' : ''}`}
      aria-current={isOpen ? 'page' : undefined}
      onClick={() => app.getState().openSettings(section)}
    >
      <Icon of={icon} />
      <span className="grow">{name}</span>
      {faults > 0 && <span className="err-t micro">{faults}</span>}
    </button>
  )
}
