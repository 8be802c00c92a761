/** The top of the front page, in the form that the home layout of VitePress reads. */
export const home = {
  en: {
    hero: {
      name: 'A2C-SMCP',
      text: 'Remote machines for AI agents',
      tagline: 'An Agent uses the MCP tools, windows and documents of any number of machines through one Server.',
      actions: [
        { theme: 'brand', text: 'Get started', link: '/guide/start' },
        { theme: 'alt', text: 'Use it from an MCP client', link: '/guide/bridge' },
        { theme: 'alt', text: 'Protocol', link: '/protocol/' },
      ],
    },
    features: [
      {
        title: 'No open ports',
        details: 'Machines and Agents connect to the Server. Credentials, processes and paths stay on the machine.',
      },
      {
        title: 'More than tools',
        details: 'Windows show the state of programs, the Finder offers documents page by page, skills explain tasks.',
        link: '/guide/desktop',
      },
      {
        title: 'You decide what runs',
        details: 'Rules, questions and pinned definitions guard every call, and an audit records it.',
        link: '/guide/consent',
      },
      {
        title: 'Works with what you have',
        details:
          'Claude Code, VS Code, Cursor and others through the bridge; the official Python and Rust SDKs as peers.',
        link: '/reports/interop',
      },
    ],
  },
  zh: {
    hero: {
      name: 'A2C-SMCP',
      text: '让 AI Agent 用上远程机器',
      tagline: '一个 Agent 经由同一个 Server，使用任意多台机器上的 MCP 工具、窗口和文档。',
      actions: [
        { theme: 'brand', text: '快速上手', link: '/zh/guide/start' },
        { theme: 'alt', text: '在 MCP 客户端中使用', link: '/zh/guide/bridge' },
        { theme: 'alt', text: '协议（英文）', link: '/protocol/' },
      ],
    },
    features: [
      {
        title: '不开放端口',
        details: '机器和 Agent 都主动连接 Server；凭证、进程和路径始终留在机器上。',
      },
      {
        title: '不止是工具',
        details: '窗口呈现程序的当前状态，Finder 按页提供文档，Skill 说明任务该怎么做。',
        link: '/zh/guide/desktop',
      },
      {
        title: '运行什么由你决定',
        details: '规则、确认和锁定的工具定义把守每一次调用，审计日志记录每一次调用。',
        link: '/zh/guide/consent',
      },
      {
        title: '与现有工具协作',
        details: '通过桥接接入 Claude Code、VS Code、Cursor 等客户端；可与官方 Python、Rust SDK 互通。',
        link: '/reports/interop',
      },
    ],
  },
};
