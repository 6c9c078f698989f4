import { type App, Menu, type MenuItemConstructorOptions } from 'electron'
import { keyCapsOf, type WindowCommand, windowCommands } from '../../shared/model/window-commands'

/**
 * Sets the application's menu. Its shortcuts are for the system; the app window knows them as well, for where there
 * is no menu bar.
 */
export function setMenu(app: App, command: (name: WindowCommand) => void): void {
  const item = (name: WindowCommand): MenuItemConstructorOptions => ({
    label: windowCommands[name].name,
    ...acceleratorOf(name),
    click: () => command(name),
  })

  const isMac = process.platform === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        item('new-conversation'),
        item('export'),
        item('export-all'),
        item('import'),
        { type: 'separator' },
        item('settings'),
        { type: 'separator' },
        { role: isMac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        item('palette'),
        item('filter'),
        item('find'),
        item('search'),
        item('lost-and-found'),
        item('map'),
        item('compare'),
        item('statistics'),
        item('skim'),
        item('fold-tools'),
        item('toggle-library'),
        item('toggle-details'),
        { type: 'separator' },
        item('zoom-in'),
        item('zoom-out'),
        item('zoom-reset'),
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    {
      label: '&Go',
      submenu: [item('back'), item('forward'), { type: 'separator' }, item('outline')],
    },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** Returns the shortcut of a command as Electron writes it. */
function acceleratorOf(name: WindowCommand): { readonly accelerator?: string } {
  // Alt and an arrow move in a text on a Mac.
  if (process.platform === 'darwin' && name === 'back') return { accelerator: 'Cmd+[' }
  if (process.platform === 'darwin' && name === 'forward') return { accelerator: 'Cmd+]' }
  const keys = keyCapsOf(name)
  if (keys === undefined) return {}
  return { accelerator: keys.map((key) => electronKeys[key] ?? key).join('+') }
}

/** Electron's words for key caps that it writes otherwise. */
const electronKeys: Readonly<Record<string, string>> = {
  Ctrl: 'CmdOrCtrl',
  '+': 'Plus',
  '←': 'Left',
  '→': 'Right',
}
