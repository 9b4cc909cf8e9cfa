/** Rules of this house that the linter has no rule for, as a plugin of it. */

/** Only login-proxy writes the cache file of the token, so nobody else has a reason to name its folder. */
const noTokenCache = {
  create(context) {
    const look = (node, text) => {
      if (!/\.svc-login/i.test(text)) return;
      context.report({
        node,
        message: "Only login-proxy knows where the token is kept: borrow the port access-tokens.",
      });
    };
    return {
      Literal: (node) => typeof node.value === "string" && look(node, node.value),
      TemplateElement: (node) => look(node, node.value.raw),
    };
  },
};

export default { meta: { name: "house" }, rules: { "no-token-cache": noTokenCache } };
