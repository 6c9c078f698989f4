import { type App, Menu, type MenuItemConstructorOptions } from 'electron'

/** A command of the menu to the app window; the names of the contract's `app.command`. */
export type WindowCommand =
  | 'new-conversation'
  | 'settings'
  | 'toggle-library'
  | 'toggle-details'
  | 'filter'
  | 'search'
  | 'find'
  | 'outline'
  | 'skim'
  | 'fold-tools'
  | 'lost-and-found'
  | 'map'
  | 'compare'
  | 'statistics'
  | 'export'
  | 'import'
  | 'back'
  | 'forward'
  | 'zoom-in'
  | 'zoom-out'
  | 'zoom-reset'

/**
 * Sets the application's menu. Its shortcuts are for the system; the app window knows them as well, for where there
 * is no menu bar.
 */
export function setMenu(app: App, command: (name: WindowCommand) => void): void {
  const item = (
    label: string,
    accelerator: string,
    name: WindowCommand,
  ): MenuItemConstructorOptions => ({ label, accelerator, click: () => command(name) })

  const isMac = process.platform === 'darwin'
  const keys = isMac
    ? { back: 'Cmd+[', forward: 'Cmd+]' }
    : { back: 'Alt+Left', forward: 'Alt+Right' }
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        item('New conversation', 'CmdOrCtrl+N', 'new-conversation'),
        item('Export…', 'CmdOrCtrl+E', 'export'),
        { label: 'Import…', click: () => command('import') },
        { type: 'separator' },
        item('Settings…', 'CmdOrCtrl+,', 'settings'),
        { type: 'separator' },
        { role: isMac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        item('Filter conversations', 'CmdOrCtrl+K', 'filter'),
        item('Find in conversation', 'CmdOrCtrl+F', 'find'),
        item('Search everything', 'CmdOrCtrl+Shift+F', 'search'),
        item('Problems', 'CmdOrCtrl+Shift+L', 'lost-and-found'),
        item('Map of branches', 'CmdOrCtrl+Shift+M', 'map'),
        item('Compare with…', 'CmdOrCtrl+Shift+D', 'compare'),
        item('Statistics', 'CmdOrCtrl+Shift+S', 'statistics'),
        item('Prompts and last answers alone', 'CmdOrCtrl+Shift+K', 'skim'),
        { label: 'Open or close all tools', click: () => command('fold-tools') },
        item('Library', 'CmdOrCtrl+B', 'toggle-library'),
        item('Details', 'CmdOrCtrl+Alt+B', 'toggle-details'),
        { type: 'separator' },
        item('Larger text', 'CmdOrCtrl+Plus', 'zoom-in'),
        item('Smaller text', 'CmdOrCtrl+-', 'zoom-out'),
        item('Text as set', 'CmdOrCtrl+0', 'zoom-reset'),
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    {
      label: '&Go',
      submenu: [
        item('Back', keys.back, 'back'),
        item('Forward', keys.forward, 'forward'),
        { type: 'separator' },
        item('Outline…', 'CmdOrCtrl+G', 'outline'),
      ],
    },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
