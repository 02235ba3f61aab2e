COPY account (id, organization_id, environment, name, currency, time_zone, created_at) FROM stdin;
01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	Fictional Shops	USD	America/New_York	2026-11-24 15:55:19.101+00
\.

COPY account_policy (account_id, rule_set_id, pricing_model_id) FROM stdin;
01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d136-7000-8055-9583c4133002	01a20e44-cba5-7000-80c0-a8431498dfed
\.

COPY business (id, account_id, legal_name, operating_name, established_date, industry_category_code, website, phone_number, email, address, no_persons_attested, version, erased_at, created_at, updated_at) FROM stdin;
01a20e44-d140-7000-8090-8c08d66f4665	01a20e44-cabd-7ab2-8e9a-4580044fbb02	Invented Orchards Ltd	Orchards	2001-02-28	{0742,5967}	https://orchards.example	+1 555 0100	office@orchards.example	{"city": "Portland", "line1": "1 Nowhere Road", "line2": "Unit 2", "region": "OR", "country": "US", "postal_code": "97205"}	f	2	\N	2026-11-24 15:55:20.768+00	2026-11-24 15:55:20.768+00
01a20e44-d17f-7000-8004-2a847627762c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	Bare Ltd	\N	\N	{}	\N	\N	\N	\N	f	1	\N	2026-11-24 15:55:20.831+00	2026-11-24 15:55:20.831+00
01a20e44-d182-7000-80e7-5fde9c062ee4	01a20e44-cabd-7ab2-8e9a-4580044fbb02	Nobody Ltd	\N	\N	{}	\N	\N	\N	\N	t	1	\N	2026-11-24 15:55:20.834+00	2026-11-24 15:55:20.834+00
01a20e44-d4c5-7000-80c3-e3f7cbc44f77	01a20e44-cabd-7ab2-8e9a-4580044fbb02	(erased)	\N	\N	{}	\N	\N	\N	\N	f	2	2026-11-24 15:55:21.739+00	2026-11-24 15:55:21.669+00	2026-11-24 15:55:21.739+00
\.

COPY credential (api_key, organization_id, environment, name, policy, policy_forced, permissions, secret_sealed, token_sha256, created_at, expires_at, last_used_at, revoked_at) FROM stdin;
sb_353DuSHWDC0r3LlvYRsiM	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	back office	strict	f	{read,write,rules,keys,webhooks}	\\x01e43840f66767a89bb2d53a50d4b6cfa2f827173295078d918df55a9c915efc0feda70895a15159996059ff80b3930e912afe23eb427b87ae358343b20870adf0b88a42db3190c3082dbcba9822	\\x87c05fdcc1e26326ac296fcba17c9780c289ad9081bb84580c8e8323caae6a60	2026-11-24 15:55:19.136+00	\N	2026-11-24 15:55:19.711+00	\N
sb_353DuSLoA7Ek29D0ZoMeQ	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	reporting	strict	f	{read}	\\x01e43840f6fb894e34bb23b909c73f6fa711532448a9b35f93c212b28fe571ac726b312dd8cb17118ed07c92ecacf21ae88fd33a9f34a2d5fc57b2a2e6a4737ada1257a0d0adb35fac7131b34f16	\\x7aa2bc608dbaa73996f4c755353ad16230fffac9df3659bc92c39f2fb69f7548	2026-11-24 15:55:19.18+00	2200-01-01 00:00:00+00	2026-11-24 15:55:26.562+00	\N
sb_353DuSPnyS1A37xVnlUwk	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	trials	minimal	f	{read,write,rules,keys,webhooks}	\\x01e43840f68426520001ba10c240a0d171e757045654ea87ae6162c5a855279817bcb6f5f211457a88b9b39a4d7d046133d0e6ca87ba6e0a8c6dcbd453cfdb1324b980c0a149644ed525677b39df	\\x7201dcedae0bd0855227ad3675888714f003c9eb6643eaad7144a9511c899cff	2026-11-24 15:55:19.221+00	\N	2026-11-24 15:55:26.565+00	\N
sb_353DuSTtfAszkjk62fzFe	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	former	strict	f	{read,write,rules,keys,webhooks}	\\x01e43840f6764c92bbc35928076237f6f8c1c5dc55ab794ef67efab9b86be7438ab59496fd4481fec3a842f453ff43e9d21a77e1a2c5f904b5f0b7338f24ed503908980f68ea35807eac65e5e8c4	\\x9a20369ab88d60bb0fee53582b4a2ed5bd6cd17c79f1d13b403ecdb048765f5e	2026-11-24 15:55:19.263+00	\N	\N	2026-11-24 15:55:19.297+00
\.

COPY event_epoch (number, cluster, tag) FROM stdin;
1	7711754350530327590/00000001	-7164077615753047167
\.

COPY idempotency (organization_id, environment, operation, key, body_sha256, outcome, created_at) FROM stdin;
01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	business.create	orchards	\\x10b8a09f5e896385db182d2ec57dbede5ab0581545541cca6eab9ba1f44f4a18	{"data": {"person_ids": ["p_353DuUqbNNCQ2y1E1xq7d", "p_353DuUqbNNCSJDmn7uAm5"], "business_id": "b_353DuUqbNNCJmgHJCclXx", "sales_info_id": "bsi_353DuUqbNNCYc4qZfwZZn"}}	2026-11-24 15:55:20.768+00
01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	workflow.pricing.calculate	price	\\xbcd81db5644c09be99dae95a1c41872e0131b7839b9a9e0f1d6605b0ba03ae67	{"data": {"evaluation_score": 600.375}}	2026-11-24 15:55:20.895+00
01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	workflow.requiredDocument.calculate	calculate	\\xbcd81db5644c09be99dae95a1c41872e0131b7839b9a9e0f1d6605b0ba03ae67	{"data": {"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353DuVHPPawxWVrcH6veX"}, {"status": "COMPLETED", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuVHPPax1Fhfe1lz8z"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353DuVHPPax4fnkoJ8moD"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353DuVHPPaxCthwatPQ5v"}, {"status": "PENDING", "entity_id": "w_353DuUxKObhC6m6b7m9kY", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353DuVHPPaxFJLkM00g6c"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353DuVHPPaxLFGg7uWpUu"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCQ2y1E1xq7d", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxSyikQkw294"}], "removed": [{"status": "INACTIVE", "entity_id": "p_353DuUqbNNCSJDmn7uAm5", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxUdKBVRObDE"}]}}	2026-11-24 15:55:21.359+00
01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	workflow.requiredDocument.calculate	ended	\\x9db6235e0a3b695e233ddfe8b38fa32dfecd275c1fd38c46b18c6764de11464c	{"refusal": {"code": "SYSTEM_RULE_VIOLATION", "message": "The workflow has ended and accepts no further changes.", "sub_code": "WORKFLOW_ENDED", "entity_id": "w_353DuVqbDBGQXnoejXpQ5", "entity_type": "Workflow"}}	2026-11-24 15:55:21.637+00
01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	webhook.key.create	key	\\xa7cd5d08edf1a52c7d0fe8d6b4654f00f47ac57ff60d5ad3dcd65b24b4495f22	{"data": {"key_id": "whk_20261124_02", "status": "INACTIVE", "created_at": "2026-11-24T15:55:25.406Z"}}	2026-11-24 15:55:25.413+00
01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	webhook.key.activate	activate	\\x00b269fd06d3a56110f033da13e312e0f7d47d8b4049fddfad0c52d592579a5b	{"data": {"key_id": "whk_20261124_02", "status": "ACTIVE", "activated_at": "2026-11-24T15:55:25.439Z"}}	2026-11-24 15:55:25.434+00
\.

COPY nonce (api_key, nonce, expires_at) FROM stdin;
sb_353DuSHWDC0r3LlvYRsiM	2EQXTABRGMXLUA2HMZ4MVFPCQS	2026-11-24 16:10:26.802631+00
sb_353DuSHWDC0r3LlvYRsiM	2EX7F6FGRX2TJZI7PCBNJ3TYZQ	2026-11-24 16:10:26.373454+00
sb_353DuSHWDC0r3LlvYRsiM	2XFDPYMMLHTNJHDW7E3GXZLN73	2026-11-24 16:10:21.584787+00
sb_353DuSHWDC0r3LlvYRsiM	2Z5RTSH6LM7T2LZFOLPYDJEUNC	2026-11-24 16:10:26.806882+00
sb_353DuSHWDC0r3LlvYRsiM	33IMVJMAIQZMYDRCRWSR2NWBKY	2026-11-24 16:10:26.797371+00
sb_353DuSHWDC0r3LlvYRsiM	3FFLR6YM6E6EHOQM576Q2G4MPC	2026-11-24 16:10:20.765636+00
sb_353DuSHWDC0r3LlvYRsiM	3IQNUEN4H3HZINUQHTBBUALADI	2026-11-24 16:10:21.215596+00
sb_353DuSHWDC0r3LlvYRsiM	3V6P53F5ZPIAQMAXC37V6RDNXF	2026-11-24 16:10:20.830813+00
sb_353DuSHWDC0r3LlvYRsiM	3ZNXMRVHQDVJKXM4ZFXU6KVXUK	2026-11-24 16:10:21.425375+00
sb_353DuSHWDC0r3LlvYRsiM	4C7XZMUDQ6WHNKMZKKW3MQDB5X	2026-11-24 16:10:24.966024+00
sb_353DuSHWDC0r3LlvYRsiM	4JQEA7A4ICPS6DX6BX6BMOCIYM	2026-11-24 16:10:26.599023+00
sb_353DuSHWDC0r3LlvYRsiM	4M7P2NL4TY3UY7DIPEEIWO2P4M	2026-11-24 16:10:26.90649+00
sb_353DuSHWDC0r3LlvYRsiM	4ZYHSXQSXIVQCTIIDUMKS2W4MX	2026-11-24 16:10:26.575918+00
sb_353DuSHWDC0r3LlvYRsiM	5KN73SBZ7UBPQ6T34L5RUZ4BRC	2026-11-24 16:10:27.125444+00
sb_353DuSHWDC0r3LlvYRsiM	5QPV5DRGST5QEH625LROPA4NRL	2026-11-24 16:10:26.909255+00
sb_353DuSHWDC0r3LlvYRsiM	63FYA6ZXMKNL5C655R7T7HVGSJ	2026-11-24 16:10:25.593021+00
sb_353DuSHWDC0r3LlvYRsiM	6B4QQN3R3CQZJXFJ4YSLP5H2EA	2026-11-24 16:10:26.93696+00
sb_353DuSHWDC0r3LlvYRsiM	6OQJOSTDNOGGEG4HMAP4OECR3L	2026-11-24 16:10:25.422862+00
sb_353DuSHWDC0r3LlvYRsiM	6QB5KRZAOKOX6VFUAC4ED4TT2N	2026-11-24 16:10:26.584284+00
sb_353DuSHWDC0r3LlvYRsiM	6RFS652VPMZ3VACXYWCMJHO5KK	2026-11-24 16:10:25.993913+00
sb_353DuSHWDC0r3LlvYRsiM	6UV7UZKL3UCSTEL7HC4HDJ6HQ5	2026-11-24 16:10:21.256403+00
sb_353DuSHWDC0r3LlvYRsiM	6XDB3V7FTUHS2QNHBTTKEREAWE	2026-11-24 16:10:26.614688+00
sb_353DuSHWDC0r3LlvYRsiM	7EWJV55OQRIHZRGBR4UH367V4T	2026-11-24 16:10:27.026775+00
sb_353DuSHWDC0r3LlvYRsiM	7FIIZEHI34I727YLY5W6C46TDM	2026-11-24 16:10:26.667402+00
sb_353DuSHWDC0r3LlvYRsiM	7KANHR6PSDOGAKD7AO53ATZIGY	2026-11-24 16:10:25.311335+00
sb_353DuSHWDC0r3LlvYRsiM	A25WEEYVM2E667FJMKVNDVAUY4	2026-11-24 16:10:26.54135+00
sb_353DuSHWDC0r3LlvYRsiM	A47GUYN2H4KMKI6FR6CRE45OKQ	2026-11-24 16:10:26.520073+00
sb_353DuSHWDC0r3LlvYRsiM	AAJGOFNQXAJ7ZH6OYDW3SNTGSP	2026-11-24 16:10:26.963658+00
sb_353DuSHWDC0r3LlvYRsiM	AEKBH76HVBUY3F4JZ5XRLPREV7	2026-11-24 16:10:24.959644+00
sb_353DuSHWDC0r3LlvYRsiM	AGHRWRZ7ALOEGBR2VJYL2CDTCD	2026-11-24 16:10:27.158847+00
sb_353DuSHWDC0r3LlvYRsiM	ANYBZU5PVPN6PWJZK4XE7GZUB2	2026-11-24 16:10:26.589388+00
sb_353DuSHWDC0r3LlvYRsiM	APIR5HQANQSVP42RHIJX6YPLYV	2026-11-24 16:10:27.070876+00
sb_353DuSHWDC0r3LlvYRsiM	ATUDBVMMC4LRBC4OJ76UCO53VH	2026-11-24 16:10:26.489987+00
sb_353DuSHWDC0r3LlvYRsiM	AVN547DTAOAEU3PCTA66T4YSW2	2026-11-24 16:10:26.627213+00
sb_353DuSHWDC0r3LlvYRsiM	AYLPB25MSWCQ73KB7X7WJLYET2	2026-11-24 16:10:27.085223+00
sb_353DuSHWDC0r3LlvYRsiM	B4MFOLVLSW54CUXVS3HEPCREOA	2026-11-24 16:10:27.182955+00
sb_353DuSHWDC0r3LlvYRsiM	BDXNVTS6CJCEU67OAEYRZCKJC3	2026-11-24 16:10:26.551336+00
sb_353DuSHWDC0r3LlvYRsiM	BIKE4XJX6TXF4SJKPC5EGZZ65N	2026-11-24 16:10:27.000363+00
sb_353DuSHWDC0r3LlvYRsiM	BJTFENOMLLLI4LVA3UVAPU33RU	2026-11-24 16:10:21.165257+00
sb_353DuSHWDC0r3LlvYRsiM	BNMW5XORPM2LK6Z6PAFM4PKBO4	2026-11-24 16:10:27.014323+00
sb_353DuSHWDC0r3LlvYRsiM	C2GMODRRGF3CZAIIJLRD63MMB4	2026-11-24 16:10:26.95077+00
sb_353DuSHWDC0r3LlvYRsiM	C4VH4ZCTW4PO56AZVUVMTNZDYC	2026-11-24 16:10:26.998531+00
sb_353DuSHWDC0r3LlvYRsiM	C4YCSIMWBQ4GVOA572OVVFTUNC	2026-11-24 16:10:19.756319+00
sb_353DuSHWDC0r3LlvYRsiM	CGYTIZWPGZXJ5XUAPDL3KMWAGL	2026-11-24 16:10:19.841719+00
sb_353DuSHWDC0r3LlvYRsiM	D4FZRROLW7NAM6FGEURIYW4AU7	2026-11-24 16:10:26.687072+00
sb_353DuSHWDC0r3LlvYRsiM	DX5US5PZV7BR2JYFPGDC242RAC	2026-11-24 16:10:27.105063+00
sb_353DuSHWDC0r3LlvYRsiM	E55RRUTTYQTIMGQDTTOXAEXES7	2026-11-24 16:10:25.391647+00
sb_353DuSHWDC0r3LlvYRsiM	E7S4GGTKT7LBSPN5KVLTPPW35B	2026-11-24 16:10:26.952343+00
sb_353DuSHWDC0r3LlvYRsiM	EAGSPQZ5VA7UB2DAKDOKKDYNKI	2026-11-24 16:10:26.197387+00
sb_353DuSHWDC0r3LlvYRsiM	EBIGWJA7OEJHKD4I76YFMN5W3A	2026-11-24 16:10:26.889707+00
sb_353DuSHWDC0r3LlvYRsiM	EBSYBJ53UE5UZXJJWFSQHWT2ZL	2026-11-24 16:10:27.050512+00
sb_353DuSHWDC0r3LlvYRsiM	EL3DITM3BVRG3FULPBAMQR3DFL	2026-11-24 16:10:26.661085+00
sb_353DuSHWDC0r3LlvYRsiM	EMPFNK6LPOU2VJUHFLYE5GV6WF	2026-11-24 16:10:25.943008+00
sb_353DuSHWDC0r3LlvYRsiM	ERI6HVUBVAJQKOTR6IX2FHDBNY	2026-11-24 16:10:26.948347+00
sb_353DuSHWDC0r3LlvYRsiM	ERKB6O2F3I2WMWT5WUAMF7EZGX	2026-11-24 16:10:26.932388+00
sb_353DuSHWDC0r3LlvYRsiM	F3HMVYELG2XJ37QQFVMJ2F4BTE	2026-11-24 16:10:24.881304+00
sb_353DuSHWDC0r3LlvYRsiM	F4KKRA5KSGIJZYFDVYJ5VK3BAB	2026-11-24 16:10:26.930424+00
sb_353DuSHWDC0r3LlvYRsiM	F5U3TDFWUKGYNMAMH6AYA75VJD	2026-11-24 16:10:25.360331+00
sb_353DuSHWDC0r3LlvYRsiM	F7NF7DGO5JGJPPQKCGODOVC47I	2026-11-24 16:10:27.00528+00
sb_353DuSHWDC0r3LlvYRsiM	FGASQL7QQTJVTOKCYBNHI2XWMV	2026-11-24 16:10:26.791039+00
sb_353DuSHWDC0r3LlvYRsiM	FIJLSNXKAV7Y4ECTYB5AK5BWFA	2026-11-24 16:10:26.500352+00
sb_353DuSHWDC0r3LlvYRsiM	FO2ENSW5MGWAR42SYQ6SZCPGE3	2026-11-24 16:10:27.135617+00
sb_353DuSHWDC0r3LlvYRsiM	FSXMUNEFRQ474EM3BVEPXGSC6U	2026-11-24 16:10:26.928244+00
sb_353DuSHWDC0r3LlvYRsiM	FV5WZZJ564YDOP66OVZRAR27UG	2026-11-24 16:10:26.860157+00
sb_353DuSHWDC0r3LlvYRsiM	FY365TIPAAXFPQFIQFD5LADSI3	2026-11-24 16:10:27.111315+00
sb_353DuSHWDC0r3LlvYRsiM	FYLB25MJS2JBTDMPUW5FLK53ON	2026-11-24 16:10:27.174869+00
sb_353DuSHWDC0r3LlvYRsiM	FZY52AKERETYYT5ELERR56DD6L	2026-11-24 16:10:25.793793+00
sb_353DuSHWDC0r3LlvYRsiM	G5XVNEXM45PX3EB75SAUZI3NCW	2026-11-24 16:10:26.531259+00
sb_353DuSHWDC0r3LlvYRsiM	GARHNKMH2OIHZDTRPLGF4L64ZG	2026-11-24 16:10:26.644171+00
sb_353DuSHWDC0r3LlvYRsiM	GCW5L66FINB2YZRA6MNFXMXQ6Z	2026-11-24 16:10:21.514986+00
sb_353DuSHWDC0r3LlvYRsiM	GGXNT6Q5AAKTWJ5VCAHNBQRKFM	2026-11-24 16:10:26.872265+00
sb_353DuSHWDC0r3LlvYRsiM	GITO5N3ZPLSFHHSF3KVSK2VBK6	2026-11-24 16:10:25.643749+00
sb_353DuSHWDC0r3LlvYRsiM	GPRKOONYXCJ6CSFPOLHGMFUBE3	2026-11-24 16:10:20.625213+00
sb_353DuSHWDC0r3LlvYRsiM	GQH3HPCFFSJ3YYK5GSUFVYD3ZS	2026-11-24 16:10:27.17716+00
sb_353DuSHWDC0r3LlvYRsiM	GRVPEZNZ6YSH6CPJOUWN5DL54I	2026-11-24 16:10:26.043649+00
sb_353DuSHWDC0r3LlvYRsiM	H2RO7GO3WQ7XMY4EX3TECAAGTO	2026-11-24 16:10:25.893497+00
sb_353DuSHWDC0r3LlvYRsiM	H3HKPFIF2BGAF2VOO6U7OLSJE2	2026-11-24 16:10:25.256056+00
sb_353DuSHWDC0r3LlvYRsiM	H5NWIP4ITHOXXOEI6MZDZJWF3L	2026-11-24 16:10:26.917064+00
sb_353DuSHWDC0r3LlvYRsiM	HDBIODOGGFZ7PL4MBBRJ4RXEA2	2026-11-24 16:10:21.602274+00
sb_353DuSHWDC0r3LlvYRsiM	I2TTZPGUTOKWZP3LDQNELZXSBG	2026-11-24 16:10:26.609092+00
sb_353DuSHWDC0r3LlvYRsiM	IDKYS4PGF6QVI2HZTJXMXB5JAC	2026-11-24 16:10:19.849764+00
sb_353DuSHWDC0r3LlvYRsiM	IQF5DXMLIHAEEXTJRI6FVRHZ5W	2026-11-24 16:10:20.844363+00
sb_353DuSHWDC0r3LlvYRsiM	IRWW72V5ETN6H27JYOZL25L2PX	2026-11-24 16:10:26.527085+00
sb_353DuSHWDC0r3LlvYRsiM	JAUNBKFIRYL6SBSDADJ2BLLOKX	2026-11-24 16:10:21.40219+00
sb_353DuSHWDC0r3LlvYRsiM	JB3DPYMAMCEYAV7564WRMGEQJT	2026-11-24 16:10:24.949447+00
sb_353DuSHWDC0r3LlvYRsiM	JGMFZQAQFR4TKLOKWG32XRYDGA	2026-11-24 16:10:26.702963+00
sb_353DuSHWDC0r3LlvYRsiM	JINBGOBHMKLWYZM3T52IDBNOV3	2026-11-24 16:10:26.745762+00
sb_353DuSHWDC0r3LlvYRsiM	JMQTNRVWEYRFXOFBCCYMYNI2OX	2026-11-24 16:10:26.786414+00
sb_353DuSHWDC0r3LlvYRsiM	JQ5YCHBFD44NIRNZ3JK2Y6UTU5	2026-11-24 16:10:26.640647+00
sb_353DuSHWDC0r3LlvYRsiM	K2NTXI5QGXZWFNPMFHMRZBIZC5	2026-11-24 16:10:25.037132+00
sb_353DuSHWDC0r3LlvYRsiM	KC3MVEWRTFMWPW35UK6XJ45B2F	2026-11-24 16:10:27.160312+00
sb_353DuSHWDC0r3LlvYRsiM	KIC7CRFPY6T5UXV6SFTTQQQAIO	2026-11-24 16:10:26.967673+00
sb_353DuSHWDC0r3LlvYRsiM	KJRK2WDD5YSGQD77DA6KAICQLR	2026-11-24 16:10:26.98613+00
sb_353DuSHWDC0r3LlvYRsiM	KKE5AJXO32TZWEYH3DUZL7Q4KS	2026-11-24 16:10:20.91667+00
sb_353DuSHWDC0r3LlvYRsiM	KKJPYPT5J3OYVFWNIPDRBF7WWP	2026-11-24 16:10:27.034695+00
sb_353DuSHWDC0r3LlvYRsiM	KKYTFBCDL3HJOM6NATGQLMAMHV	2026-11-24 16:10:26.898684+00
sb_353DuSHWDC0r3LlvYRsiM	KRFTOTE6BHG5BUG7CHVXXW635U	2026-11-24 16:10:21.152081+00
sb_353DuSHWDC0r3LlvYRsiM	KTK5NCEACWRCJABQG7FRRUS2GF	2026-11-24 16:10:27.148739+00
sb_353DuSHWDC0r3LlvYRsiM	L2B54MJXFQHTPUNVYWUN4HZJRN	2026-11-24 16:10:26.672732+00
sb_353DuSHWDC0r3LlvYRsiM	L6XZOKTUKJYVNIRMHQODUIEFMK	2026-11-24 16:10:26.944708+00
sb_353DuSHWDC0r3LlvYRsiM	LC6L7KPHC3BKBAEGSOGYWXFSVB	2026-11-24 16:10:27.090247+00
sb_353DuSHWDC0r3LlvYRsiM	LQ5G3SFTCYMLRBGM2CIKTX6X5P	2026-11-24 16:10:24.900792+00
sb_353DuSHWDC0r3LlvYRsiM	LUMBTBEYDNT6JDNJNEY6QUNMXX	2026-11-24 16:10:26.44551+00
sb_353DuSHWDC0r3LlvYRsiM	LUNMMXKDBSXVEAZU6UQPZPFBHN	2026-11-24 16:10:26.903476+00
sb_353DuSHWDC0r3LlvYRsiM	LY3G7F23WDO3KKLEFUJRAZ4HKH	2026-11-24 16:10:25.388288+00
sb_353DuSHWDC0r3LlvYRsiM	M37BUVWT7FEV6L7GUETRCK3OIA	2026-11-24 16:10:27.145659+00
sb_353DuSHWDC0r3LlvYRsiM	M5VMDZSX2XJOXPBGRDA27CA4PU	2026-11-24 16:10:19.837698+00
sb_353DuSHWDC0r3LlvYRsiM	MAUQAS7ZC7LX6BK6H4IQWMXUDS	2026-11-24 16:10:26.977992+00
sb_353DuSHWDC0r3LlvYRsiM	MGB6M5DYNIR2KARJK4EKKDIK7R	2026-11-24 16:10:25.492598+00
sb_353DuSHWDC0r3LlvYRsiM	MTOVZ4BWZ72QHAVQV74AQKXR2Y	2026-11-24 16:10:20.833339+00
sb_353DuSHWDC0r3LlvYRsiM	N2T6YHTDNGONH67ADTIBJLANPI	2026-11-24 16:10:27.069272+00
sb_353DuSHWDC0r3LlvYRsiM	NB4FE2KQJS3237N7KRWIGMGCR5	2026-11-24 16:10:19.830191+00
sb_353DuSHWDC0r3LlvYRsiM	NHXNWDTFNLEBUUFZQ7VNBVAHCA	2026-11-24 16:10:26.093777+00
sb_353DuSHWDC0r3LlvYRsiM	NI5TJDJK5QDGSJHZX3IIABV5TQ	2026-11-24 16:10:27.167263+00
sb_353DuSHWDC0r3LlvYRsiM	NMRKCHNF5AJ7OTWRPDVI5FHMES	2026-11-24 16:10:26.994206+00
sb_353DuSHWDC0r3LlvYRsiM	NN7WAAC2QNT2SJ3ARXTW7USKZM	2026-11-24 16:10:27.154457+00
sb_353DuSHWDC0r3LlvYRsiM	NNYSVHNPFMHGCDJ6XXYW3DLXXJ	2026-11-24 16:10:21.666075+00
sb_353DuSHWDC0r3LlvYRsiM	NVUQCHCZX3SGHPKKRIWCQ6GU7P	2026-11-24 16:10:26.878763+00
sb_353DuSHWDC0r3LlvYRsiM	O6SXIH3JRW7SOKL63QIUU7KRFE	2026-11-24 16:10:24.755257+00
sb_353DuSHWDC0r3LlvYRsiM	O77VECRWO6TI2GNWR6QTUK73SB	2026-11-24 16:10:24.862171+00
sb_353DuSHWDC0r3LlvYRsiM	OAANLM2QZET75EGNILRTOVV7SY	2026-11-24 16:10:26.596167+00
sb_353DuSHWDC0r3LlvYRsiM	OP2IYIM6RWNVKHP5FYKTLGK3AH	2026-11-24 16:10:26.93474+00
sb_353DuSHWDC0r3LlvYRsiM	OSNO2N2IW5NF6CCE3P4TD7TF6W	2026-11-24 16:10:26.969771+00
sb_353DuSHWDC0r3LlvYRsiM	P257KK7NM3LONODDR25VD7VIF2	2026-11-24 16:10:26.9584+00
sb_353DuSHWDC0r3LlvYRsiM	P6O6YC2HHSPCO3SXELZI2KSYUQ	2026-11-24 16:10:26.587178+00
sb_353DuSHWDC0r3LlvYRsiM	PALGYKPQKRYDEEQZDH65UN257X	2026-11-24 16:10:26.655846+00
sb_353DuSHWDC0r3LlvYRsiM	PD3KZ6HEURY2777Z5X2MEF7SBT	2026-11-24 16:10:19.833487+00
sb_353DuSHWDC0r3LlvYRsiM	PHVN3RIUM52FGQW7LX3YY2LWBJ	2026-11-24 16:10:21.172925+00
sb_353DuSHWDC0r3LlvYRsiM	PIBS2NLY2QJG2GFJA6YKXQOTWY	2026-11-24 16:10:26.683141+00
sb_353DuSHWDC0r3LlvYRsiM	PJKT7VRI25VRPICWU6PY3YLJWC	2026-11-24 16:10:27.171754+00
sb_353DuSHWDC0r3LlvYRsiM	Q3E3JROE64W2MLK2SABAVCUESA	2026-11-24 16:10:27.098858+00
sb_353DuSHWDC0r3LlvYRsiM	Q4WPYCXNY7RRFDUSPJMLTHYIBJ	2026-11-24 16:10:21.676346+00
sb_353DuSHWDC0r3LlvYRsiM	Q732CK7QCEVPD3AMMEEMZBK3B4	2026-11-24 16:10:25.260061+00
sb_353DuSHWDC0r3LlvYRsiM	QEBCEKRQJ4Q34FMUUNJ2TKOKBV	2026-11-24 16:10:26.89463+00
sb_353DuSHWDC0r3LlvYRsiM	QFOOSPKMB2MBNXRHH7UEZYLFX5	2026-11-24 16:10:26.992204+00
sb_353DuSHWDC0r3LlvYRsiM	QIYLOHZNL5I7DZTBO2PE52VX2U	2026-11-24 16:10:26.982979+00
sb_353DuSHWDC0r3LlvYRsiM	QKO7GOFX7SN3CSOB7Q4HRSFACQ	2026-11-24 16:10:24.913042+00
sb_353DuSHWDC0r3LlvYRsiM	QNAKKIZH3KGWWQNUVIKMMKJQPX	2026-11-24 16:10:27.114512+00
sb_353DuSHWDC0r3LlvYRsiM	QOFTNKPIUOW3N4MLMCVQSGQCEY	2026-11-24 16:10:26.892055+00
sb_353DuSHWDC0r3LlvYRsiM	QXJOB6KP6ABEVIZ77VMYNGU63E	2026-11-24 16:10:25.39917+00
sb_353DuSHWDC0r3LlvYRsiM	RETHUS52EZSCN47VHMOTVU6TVR	2026-11-24 16:10:26.837266+00
sb_353DuSHWDC0r3LlvYRsiM	RFKXIIICXTNI4SAUB2P2O2EI7B	2026-11-24 16:10:26.961945+00
sb_353DuSHWDC0r3LlvYRsiM	RVDBMP4NT4WKBNYJ5IRFM66AVQ	2026-11-24 16:10:21.328867+00
sb_353DuSHWDC0r3LlvYRsiM	RYDRAE2OJ4ZM6N7DERJVG75G65	2026-11-24 16:10:27.011644+00
sb_353DuSHWDC0r3LlvYRsiM	RYV6CS3MDHRYTGAXWML3YBUSD4	2026-11-24 16:10:26.946809+00
sb_353DuSHWDC0r3LlvYRsiM	S6NEDKZWBXQIJALAAH6QXRV25J	2026-11-24 16:10:21.125284+00
sb_353DuSHWDC0r3LlvYRsiM	SCNIDUS3DF6RJBZDICKDGRTNPN	2026-11-24 16:10:19.870035+00
sb_353DuSHWDC0r3LlvYRsiM	SJ3WDZ63NV6XM6OUG24VXU3SQI	2026-11-24 16:10:26.497698+00
sb_353DuSHWDC0r3LlvYRsiM	SNU6CB34ZI72WJW5DXYWQ6QZ7Z	2026-11-24 16:10:26.863838+00
sb_353DuSHWDC0r3LlvYRsiM	SVTHZQSMFEMO5MATEXT5QB62PV	2026-11-24 16:10:25.383717+00
sb_353DuSHWDC0r3LlvYRsiM	T4ZK3OHWFAENVXPABAPQI6U6SO	2026-11-24 16:10:25.543634+00
sb_353DuSHWDC0r3LlvYRsiM	TMUX3CZPPSORMV6OQVSNYW2XAP	2026-11-24 16:10:25.371696+00
sb_353DuSHWDC0r3LlvYRsiM	UJZG76VOHJQECEHSKT5QILOVLF	2026-11-24 16:10:27.0245+00
sb_353DuSHWDC0r3LlvYRsiM	UO764HTKYPNAFMPKSVT3QTZZUF	2026-11-24 16:10:20.83554+00
sb_353DuSHWDC0r3LlvYRsiM	UTDTNQBRJCN5HBF7ZNTXQ3JCCC	2026-11-24 16:10:24.918528+00
sb_353DuSHWDC0r3LlvYRsiM	UTULUN3NKXHRJE7NRF56EOWP3O	2026-11-24 16:10:21.393297+00
sb_353DuSHWDC0r3LlvYRsiM	UV6J2PYKUV6ZF6RL3RDZMW6UPR	2026-11-24 16:10:27.061883+00
sb_353DuSHWDC0r3LlvYRsiM	V6BFNIO5HBILHJAGYRS7DJFXL6	2026-11-24 16:10:27.091983+00
sb_353DuSHWDC0r3LlvYRsiM	VEPQALJAGPHUSUQYUUO53DC6RW	2026-11-24 16:10:26.793842+00
sb_353DuSHWDC0r3LlvYRsiM	VHS3NAHUEPP7XRSSQ6F2CDYLCA	2026-11-24 16:10:25.48754+00
sb_353DuSHWDC0r3LlvYRsiM	VJMVRRK7QHKDCQ2K6K6IQLD5P6	2026-11-24 16:10:27.113049+00
sb_353DuSHWDC0r3LlvYRsiM	VJOAU2IJZIXXSSNQYGHCASAUWI	2026-11-24 16:10:26.65244+00
sb_353DuSHWDC0r3LlvYRsiM	VLCKRDER6IGQYZND3DBIVRH56U	2026-11-24 16:10:26.552861+00
sb_353DuSHWDC0r3LlvYRsiM	VU546BKYJJOBWAXURDSA6HZ7HA	2026-11-24 16:10:26.729433+00
sb_353DuSHWDC0r3LlvYRsiM	VVOTH75ALF63NF3FFNQEOM7LJ3	2026-11-24 16:10:27.020273+00
sb_353DuSHWDC0r3LlvYRsiM	VW3VYLZW5WUN4GDJFYTU5Y6YYM	2026-11-24 16:10:26.973846+00
sb_353DuSHWDC0r3LlvYRsiM	WHW2ANTK2HDG5ZTWUMNCIE2JAQ	2026-11-24 16:10:25.44488+00
sb_353DuSHWDC0r3LlvYRsiM	WTCUDF64MLU632TQZTOK47SV2H	2026-11-24 16:10:21.374292+00
sb_353DuSHWDC0r3LlvYRsiM	WVU6EHFZLM4N3BMMXBUFBKQVZO	2026-11-24 16:10:19.814849+00
sb_353DuSHWDC0r3LlvYRsiM	WZAA7S3RHE3NAHIUAMCNORAYBX	2026-11-24 16:10:26.481694+00
sb_353DuSHWDC0r3LlvYRsiM	XDVKW55N7XVTSLUZDQCHC3E2AZ	2026-11-24 16:10:26.633694+00
sb_353DuSHWDC0r3LlvYRsiM	XPEDCYXLU4QYLZFWC3WJZGI6DP	2026-11-24 16:10:26.494229+00
sb_353DuSHWDC0r3LlvYRsiM	XPTUO7RRUORZRKIYGJGRVW57N2	2026-11-24 16:10:25.842992+00
sb_353DuSHWDC0r3LlvYRsiM	XZFTH4YYIKF5FPORKFFJT2BPV3	2026-11-24 16:10:24.955239+00
sb_353DuSHWDC0r3LlvYRsiM	XZPCIPQEZIVQ6HVWB5N3MWMQP6	2026-11-24 16:10:19.702038+00
sb_353DuSHWDC0r3LlvYRsiM	Y3JZDU5RDU26SUOA2N5O4LF4FJ	2026-11-24 16:10:27.047117+00
sb_353DuSHWDC0r3LlvYRsiM	Y5WM44PIUO6ZEYDCI5MAVCVIQP	2026-11-24 16:10:26.734502+00
sb_353DuSHWDC0r3LlvYRsiM	YANFOONO66Y5HLPMFSIJOLQITU	2026-11-24 16:10:25.693894+00
sb_353DuSHWDC0r3LlvYRsiM	YDDVEBJG3UAYIJFTSXWLIYH4NZ	2026-11-24 16:10:21.110737+00
sb_353DuSHWDC0r3LlvYRsiM	YRZNU4YLQQRIAMYBJJFERK5GME	2026-11-24 16:10:27.009754+00
sb_353DuSHWDC0r3LlvYRsiM	YTEBU6OJWSV6NTLTUKMJJ3E3FJ	2026-11-24 16:10:26.810252+00
sb_353DuSHWDC0r3LlvYRsiM	YUPQ4RBSJQLXMKMBBTK4SXN4QF	2026-11-24 16:10:26.469152+00
sb_353DuSHWDC0r3LlvYRsiM	YYXVY5CDDHAB72BWRQRAQLQMYX	2026-11-24 16:10:19.846002+00
sb_353DuSHWDC0r3LlvYRsiM	Z2SL7I56XQSMV2AMJAM22KNN6M	2026-11-24 16:10:26.146307+00
sb_353DuSHWDC0r3LlvYRsiM	Z33VU66W45MXVHMY4CPER5LQMB	2026-11-24 16:10:24.907816+00
sb_353DuSHWDC0r3LlvYRsiM	Z63YCAURK7JPR43JIQRGT3QZDW	2026-11-24 16:10:25.743903+00
sb_353DuSHWDC0r3LlvYRsiM	ZD4HNMZCRENTRO3HHOAHQDZBFZ	2026-11-24 16:10:26.955072+00
sb_353DuSHWDC0r3LlvYRsiM	ZEE7FBPDPBYUMW7CLETS7JJQZS	2026-11-24 16:10:26.709692+00
sb_353DuSHWDC0r3LlvYRsiM	ZTN6QVQGYMIBVP5UTS2G7ZPD27	2026-11-24 16:10:27.074584+00
sb_353DuSHWDC0r3LlvYRsiM	ZUJ3FG2BHUCAMP6IAD6BEVS42J	2026-11-24 16:10:26.705944+00
sb_353DuSHWDC0r3LlvYRsiM	ZVHXV55BOW46AVWAS2ZJXCDIQ3	2026-11-24 16:10:25.080744+00
sb_353DuSHWDC0r3LlvYRsiM	ZYRECMSKCNHI3NB4OOVUEUYHZC	2026-11-24 16:10:24.942264+00
sb_353DuSLoA7Ek29D0ZoMeQ	DRWSPCMBTKQDS6F2PCURJTPOKL	2026-11-24 16:10:26.567695+00
sb_353DuSLoA7Ek29D0ZoMeQ	PAXQOGQSM5OUDB7R4DJ6R6EGSO	2026-11-24 16:10:26.558326+00
sb_353DuSPnyS1A37xVnlUwk	TIGQMPNLCH54RPBUZYTHSX7GQO	2026-11-24 16:10:26.564055+00
\.

COPY organization (id, name, created_at) FROM stdin;
01a20e44-ca8d-7673-addb-04c0d8d7024f	Fictional Acquirer	2026-11-24 15:55:19.053+00
\.

COPY person (id, business_id, first_name, last_name, citizenship, ownership_percentage, date_of_birth, email, created_at, updated_at) FROM stdin;
01a20e44-d140-7000-81bd-bd92c5e8b461	01a20e44-d140-7000-8090-8c08d66f4665	Ada	Unreal	DE	33.33	1980-02-29	ada@orchards.example	2026-11-24 15:55:20.768+00	2026-11-24 15:55:20.768+00
01a20e44-d140-7000-822a-8928591536dd	01a20e44-d140-7000-8090-8c08d66f4665	Bo	Imagined	US	66.67	\N	\N	2026-11-24 15:55:20.768+00	2026-11-24 15:55:21.252+00
\.

COPY pricing_model (id, account_id, version, content, content_sha256, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20e44-cba5-7000-80c0-a8431498dfed	01a20e44-cabd-7ab2-8e9a-4580044fbb02	1	{"base":500.25,"rules":[{"name":"five years","when":"business_age_years >= 5","points":100.125},{"name":"high volume","when":"average_yearly_credit_sales > 1000000","points":-40},{"name":"known trade","when":"industry_category_code.exists(c, c == \\"5411\\")","points":30}]}	\\xb7ccfb98f755854a260f78076d9454574aca5c798f5f09a169fd5be934a4b7e6	1	500000	2026-11-24 15:55:19.333+00	Priya
\.

COPY required_document (id, workflow_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, previous_status, reasons, created_at, updated_at) FROM stdin;
01a20e44-d253-7000-80e9-8571a12f1f95	01a20e44-d185-7000-80c4-72b0f1e6443a	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_353DuUqbNNCJmgHJCclXx	NEEDS_REVIEW	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.141+00
01a20e44-d253-7000-819c-db0c55687279	01a20e44-d185-7000-80c4-72b0f1e6443a	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_353DuUqbNNCJmgHJCclXx	COMPLETED	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.167+00
01a20e44-d253-7000-8241-6150f6009f99	01a20e44-d185-7000-80c4-72b0f1e6443a	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_353DuUqbNNCJmgHJCclXx	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.043+00
01a20e44-d253-7000-83cc-ea157dc60cff	01a20e44-d185-7000-80c4-72b0f1e6443a	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_353DuUqbNNCJmgHJCclXx	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.043+00
01a20e44-d253-7000-8440-fddd09eb6f82	01a20e44-d185-7000-80c4-72b0f1e6443a	REVIEW	Review	RISK	A review by two persons.	Workflow	w_353DuUxKObhC6m6b7m9kY	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.043+00
01a20e44-d253-7000-855e-62c3cf027668	01a20e44-d185-7000-80c4-72b0f1e6443a	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_353DuUqbNNCJmgHJCclXx	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_353DuUqbNNCQ2y1E1xq7d": {"ownership_percentage": 33.33}, "p_353DuUqbNNCSJDmn7uAm5": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_353DuUqbNNCQ2y1E1xq7d is 33.33, at least 25; and the ownership percentage of person p_353DuUqbNNCSJDmn7uAm5 is 66.67, at least 25.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.043+00
01a20e44-d253-7000-86d2-4c171674398a	01a20e44-d185-7000-80c4-72b0f1e6443a	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353DuUqbNNCQ2y1E1xq7d	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353DuUqbNNCQ2y1E1xq7d": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_353DuUqbNNCQ2y1E1xq7d is DE, not US; and the ownership percentage of person p_353DuUqbNNCQ2y1E1xq7d is 33.33, at least 25.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.043+00
01a20e44-d253-7000-8721-e312324e9798	01a20e44-d185-7000-80c4-72b0f1e6443a	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353DuUqbNNCSJDmn7uAm5	INACTIVE	NEEDS_REVIEW	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353DuUqbNNCSJDmn7uAm5": {"citizenship": "NO", "ownership_percentage": 66.67}}}, "message": "Passport: required because the citizenship of person p_353DuUqbNNCSJDmn7uAm5 is NO, not US; and the ownership percentage of person p_353DuUqbNNCSJDmn7uAm5 is 66.67, at least 25.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.361+00
01a20e44-d447-7000-8055-849613856819	01a20e44-d3bc-7000-80ca-2afc276244e5	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_353DuUqbNNCJmgHJCclXx	PENDING	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.543+00	2026-11-24 15:55:21.543+00
01a20e44-d447-7000-812c-f0d58fd456be	01a20e44-d3bc-7000-80ca-2afc276244e5	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_353DuUqbNNCJmgHJCclXx	PENDING	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.543+00	2026-11-24 15:55:21.543+00
01a20e44-d447-7000-822d-ba6155466d36	01a20e44-d3bc-7000-80ca-2afc276244e5	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_353DuUqbNNCJmgHJCclXx	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.543+00	2026-11-24 15:55:21.543+00
01a20e44-d447-7000-83f4-d620acfd2fa4	01a20e44-d3bc-7000-80ca-2afc276244e5	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_353DuUqbNNCJmgHJCclXx	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.543+00	2026-11-24 15:55:21.543+00
01a20e44-d447-7000-84fe-61383c2e5ca3	01a20e44-d3bc-7000-80ca-2afc276244e5	REVIEW	Review	RISK	A review by two persons.	Workflow	w_353DuVqbDBGQXnoejXpQ5	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.543+00	2026-11-24 15:55:21.543+00
01a20e44-d447-7000-85ad-f50f27b82f0e	01a20e44-d3bc-7000-80ca-2afc276244e5	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_353DuUqbNNCJmgHJCclXx	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_353DuUqbNNCQ2y1E1xq7d": {"ownership_percentage": 33.33}, "p_353DuUqbNNCSJDmn7uAm5": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_353DuUqbNNCQ2y1E1xq7d is 33.33, at least 25; and the ownership percentage of person p_353DuUqbNNCSJDmn7uAm5 is 66.67, at least 25.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.543+00	2026-11-24 15:55:21.543+00
01a20e44-d447-7000-867b-39b7e426fc26	01a20e44-d3bc-7000-80ca-2afc276244e5	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353DuUqbNNCQ2y1E1xq7d	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353DuUqbNNCQ2y1E1xq7d": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_353DuUqbNNCQ2y1E1xq7d is DE, not US; and the ownership percentage of person p_353DuUqbNNCQ2y1E1xq7d is 33.33, at least 25.", "version_id": "rul_353DuUpcwEo3eYRK9WwHi"}]	2026-11-24 15:55:21.543+00	2026-11-24 15:55:21.543+00
\.

COPY rule_set (id, account_id, version, content, content_sha256, comment, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20e44-d0ab-7000-8098-df473be7c984	01a20e44-cabd-7ab2-8e9a-4580044fbb02	1	{"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"}]}	\\x8478d1389811e11dddd8c8456460dbeea27f3558198675f38e8d625a8eb5cda0	\N	1	500000	2026-11-24 15:55:20.619+00	back office
01a20e44-d136-7000-8055-9583c4133002	01a20e44-cabd-7ab2-8e9a-4580044fbb02	2	{"lists":{"high_risk":["7995","5967"]},"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"},{"document_type_code":"BANK_STATEMENTS","name":"Bank statements","category":"FINANCIAL","requirement_text":"Three most recent statements.","entity_type":"Business","when":"average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)"},{"document_type_code":"YEARLY_ACCOUNTS","name":"Yearly accounts","category":"FINANCIAL","requirement_text":"The last yearly accounts.","entity_type":"Business","when":"average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")"},{"document_type_code":"PRICE_LIST","name":"Price list","category":"TRADE","requirement_text":"What is sold, at which price.","entity_type":"Business","when":"average_individual_sale < 20 || highest_ticket_sale >= 5000"},{"document_type_code":"BUSINESS_PLAN","name":"Business plan","category":"TRADE","requirement_text":"A plan of the first year.","entity_type":"Business","when":"business_age_months < 6 || business_age_years == 0"},{"document_type_code":"REVIEW","name":"Review","category":"RISK","requirement_text":"A review by two persons.","entity_type":"Workflow","when":"evaluation_score <= 640"},{"document_type_code":"OWNERSHIP_CHART","name":"Ownership","category":"IDENTITY","requirement_text":"Who owns what.","entity_type":"Business","when":"size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)"},{"document_type_code":"PASSPORT","name":"Passport","category":"IDENTITY","requirement_text":"The photo page.","entity_type":"Person","when":"person.citizenship != \\"US\\" && person.ownership_percentage >= 25"}],"examples":[{"name":"nobody abroad","facts":{"as_of":"2026-01-01","evaluation_score":700,"average_monthly_credit_sales":1,"average_yearly_credit_sales":12,"average_individual_sale":50,"highest_ticket_sale":60,"established_date":"2001-01-01","industry_category_code":["5411"],"persons":[{"person_id":"p1","citizenship":"US","ownership_percentage":100}]},"expect":{"documents":[{"document_type_code":"REGISTRATION"}]}}]}	\\xb0a639b8168699e53f8aa9039668c14c34fc7e16da650643ed836017f88ce1ad	all facts	1	500000	2026-11-24 15:55:20.758+00	back office
\.

COPY run_outcome (run_id, organization_id, environment, outcome, created_at) FROM stdin;
01a20e44-cd36-70bb-9a33-8993bddb9a93	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"key_id": "whk_20261124_01", "status": "INACTIVE", "created_at": "2026-11-24T15:55:19.734Z"}	2026-11-24 15:55:19.746+00
01a20e44-cd51-7684-b969-4a1a15634303	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"key_id": "whk_20261124_01", "status": "ACTIVE", "activated_at": "2026-11-24T15:55:19.789Z"}	2026-11-24 15:55:19.786+00
01a20e44-d194-7652-aad2-43ce51722f38	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"evaluation_score": 600.375}	2026-11-24 15:55:20.895+00
01a20e44-d1f3-76b0-b2b7-57d67f8a76c9	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353DuVHPPawxWVrcH6veX"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuVHPPax1Fhfe1lz8z"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353DuVHPPax4fnkoJ8moD"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353DuVHPPaxCthwatPQ5v"}, {"status": "PENDING", "entity_id": "w_353DuUxKObhC6m6b7m9kY", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353DuVHPPaxFJLkM00g6c"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353DuVHPPaxLFGg7uWpUu"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCQ2y1E1xq7d", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxSyikQkw294"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCSJDmn7uAm5", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxUdKBVRObDE"}]}	2026-11-24 15:55:21.035+00
01a20e44-d336-7d03-809b-e6ac770eff9b	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"evaluation_score": 600.375}	2026-11-24 15:55:21.306+00
01a20e44-d385-7114-ab1b-bd5d7298b962	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353DuVHPPawxWVrcH6veX"}, {"status": "COMPLETED", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuVHPPax1Fhfe1lz8z"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353DuVHPPax4fnkoJ8moD"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353DuVHPPaxCthwatPQ5v"}, {"status": "PENDING", "entity_id": "w_353DuUxKObhC6m6b7m9kY", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353DuVHPPaxFJLkM00g6c"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353DuVHPPaxLFGg7uWpUu"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCQ2y1E1xq7d", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxSyikQkw294"}], "removed": [{"status": "INACTIVE", "entity_id": "p_353DuUqbNNCSJDmn7uAm5", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxUdKBVRObDE"}]}	2026-11-24 15:55:21.359+00
01a20e44-d3e5-785d-ba84-0d431538da5d	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"evaluation_score": 600.375}	2026-11-24 15:55:21.492+00
01a20e44-d432-79d4-a928-e104f42dc9c6	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353DuW49IMUvhP81wS2av"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuW49IMV0B7PHFUjMM"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353DuW49IMV5W9r3iZIvO"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353DuW49IMVEyrfyAQOLU"}, {"status": "PENDING", "entity_id": "w_353DuVqbDBGQXnoejXpQ5", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353DuW49IMVKVByWMM3IB"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353DuW49IMVO9XVAYypfK"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCQ2y1E1xq7d", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuW49IMVSQA8pGr44c"}]}	2026-11-24 15:55:21.542+00
01a20e44-e22e-7e81-b75b-53f92276eb81	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"count": 10}	2026-11-24 15:55:25.22+00
01a20e44-e22e-7e81-b75b-53f92276eb81/0	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"at": "2026-11-24T15:55:25.153Z", "count": 5}	2026-11-24 15:55:25.136+00
01a20e44-e22e-7e81-b75b-53f92276eb81/1	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"count": 5}	2026-11-24 15:55:25.157+00
01a20e44-e22e-7e81-b75b-53f92276eb81/2	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"count": 0}	2026-11-24 15:55:25.214+00
01a20e44-e35e-7206-b5d5-24f166e60076	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"key_id": "whk_20261124_02", "status": "INACTIVE", "created_at": "2026-11-24T15:55:25.406Z"}	2026-11-24 15:55:25.413+00
01a20e44-e374-77b4-81d7-ab78cf2398f7	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"key_id": "whk_20261124_02", "status": "ACTIVE", "activated_at": "2026-11-24T15:55:25.439Z"}	2026-11-24 15:55:25.434+00
01a20e44-e38f-7086-b8f5-161ee0023554	01a20e44-ca8d-7673-addb-04c0d8d7024f	sandbox	{"key_id": "whk_20261124_03", "status": "INACTIVE", "created_at": "2026-11-24T15:55:25.455Z"}	2026-11-24 15:55:25.47+00
\.

COPY sales_amount (sales_info_id, type, value, currency, position) FROM stdin;
01a20e44-d140-7000-8359-b8fb7110a997	AVERAGE_INDIVIDUAL_SALE	19.99	USD	0
01a20e44-d140-7000-8359-b8fb7110a997	AVERAGE_MONTHLY_CREDIT_SALES	60000.00	USD	1
01a20e44-d140-7000-8359-b8fb7110a997	AVERAGE_YEARLY_CREDIT_SALES	720000.50	USD	2
01a20e44-d140-7000-8359-b8fb7110a997	HIGHEST_TICKET_SALE	9999999999999.99	USD	3
\.

COPY sales_info (id, business_id, created_at) FROM stdin;
01a20e44-d140-7000-8359-b8fb7110a997	01a20e44-d140-7000-8090-8c08d66f4665	2026-11-24 15:55:20.768+00
\.

COPY schedule_success (schedule, at) FROM stdin;
prune	2026-11-24 15:55:18.501266+00
reconcile	2026-11-24 15:55:18.501266+00
\.

COPY webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, probe, epoch, workflow_id, run_id, activity_id) FROM stdin;
01a20e44-cdaf-7202-913d-357fc8b3586b	1	01a20e44-cda3-7000-80ce-48d50a9ca59c	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:20.298+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuTppRAy6ruNtwkBjt	01a20e44-cebf-7457-aaa5-9419312b2378	
01a20e44-d186-7d93-8344-af706983653f	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:20.946+00	2	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d186-7d95-ace1-45ec75d046ba	1	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	FAILED	whk_20261124_01	2026-11-24 15:55:20.946+00	3	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d186-7daf-9f13-72473bd35116	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:20.946+00	2	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d186-7db0-8d50-5c4d8d4c20c5	1	01a20e44-cd9b-7000-809d-9da39051b142	FAILED	whk_20261124_01	2026-11-24 15:55:20.946+00	2	\N	the connection was closed before the whole answer had come		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d186-7db0-8d50-5c4d8d4c20c5	2	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.294+00	0	204	\N		127.0.0.1:46317	f	1	whc_353DuTNeXe7Uc6ooGEgz4	5d635a28-f96d-49a0-a0e1-50d30824daaf	26
01a20e44-d1c2-7bff-8cd8-cada379a5a20	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:20.946+00	2	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d27d-764f-b29e-c75aad529a04	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.118+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d2b6-77a6-9a7e-6abefc103c28	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.157+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d2c5-7870-87b1-5322aebee3a8	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.282+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d2d1-7f38-a7b5-7bdc24a1cd05	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.282+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d2f3-74ea-bd29-9e9660c5fb14	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.282+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d363-75e0-8a77-f408d2cb2899	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.338+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d392-7276-9455-b13945b2e9eb	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.383+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3a7-72e4-a7b7-d1ce0e57bff4	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.409+00	1	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3a7-72e5-aa64-1257fd472445	1	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	FAILED	whk_20261124_01	2026-11-24 15:55:21.409+00	1	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3b7-7760-a982-7abe68b219bd	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.409+00	1	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3b7-7762-bccb-f00d44edc5e8	1	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	FAILED	whk_20261124_01	2026-11-24 15:55:21.409+00	1	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3b7-7782-9b32-062a81175db2	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.409+00	1	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3b7-7783-a55d-f25bcbac6010	1	01a20e44-cd9b-7000-809d-9da39051b142	FAILED	whk_20261124_01	2026-11-24 15:55:21.409+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3b7-7783-a55d-f25bcbac6010	2	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.294+00	1	204	\N		127.0.0.1:46317	f	1	whc_353DuTNeXe7Uc6ooGEgz4	5d635a28-f96d-49a0-a0e1-50d30824daaf	26
01a20e44-d3bd-7219-b87a-0bf370762a1f	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.441+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3bd-721a-8241-aabff0bead18	1	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	FAILED	whk_20261124_01	2026-11-24 15:55:21.441+00	1	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3bd-7231-852a-6337891f6cd7	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.441+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3bd-7232-bc57-f647f7e2b83a	1	01a20e44-cd9b-7000-809d-9da39051b142	FAILED	whk_20261124_01	2026-11-24 15:55:21.441+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d3bd-7232-bc57-f647f7e2b83a	2	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.294+00	4	204	\N		127.0.0.1:46317	f	1	whc_353DuTNeXe7Uc6ooGEgz4	5d635a28-f96d-49a0-a0e1-50d30824daaf	26
01a20e44-d41e-7191-b4e6-83d34ffab92b	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.52+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d448-7d86-91dc-227083b2994e	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.601+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d47e-798f-8e6c-e8768999cbeb	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.601+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d47e-798f-8e6c-e8768999cbeb	2	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_02	2026-11-24 15:55:26.247+00	0	204	\N		127.0.0.1:46317	f	0	whc_353DuTMBswX9MZSI7IRpZ	8624ee74-27bf-4714-a930-78f465eae610	6
01a20e44-d47e-7990-a7b9-4f2252f1bc03	1	01a20e44-cd97-7000-8092-420a9b306d1c	FAILED	whk_20261124_01	2026-11-24 15:55:21.673+00	1	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d47e-7991-9e3c-97942cb801d1	1	01a20e44-cd9b-7000-809d-9da39051b142	FAILED	whk_20261124_01	2026-11-24 15:55:21.813+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d47e-7991-9e3c-97942cb801d1	2	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.294+00	0	204	\N		127.0.0.1:46317	f	1	whc_353DuTNeXe7Uc6ooGEgz4	5d635a28-f96d-49a0-a0e1-50d30824daaf	26
01a20e44-d4db-719b-bdd2-4589b5a28995	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.673+00	1	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d4db-719d-9115-41e28ec958e4	1	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	FAILED	whk_20261124_01	2026-11-24 15:55:21.673+00	1	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d4db-71b1-a8e7-cb0781f53fdb	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.673+00	1	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d4db-71b2-b7e9-859d072987ac	1	01a20e44-cd9b-7000-809d-9da39051b142	FAILED	whk_20261124_01	2026-11-24 15:55:21.813+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d4db-71b2-b7e9-859d072987ac	2	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.294+00	1	204	\N		127.0.0.1:46317	f	1	whc_353DuTNeXe7Uc6ooGEgz4	5d635a28-f96d-49a0-a0e1-50d30824daaf	26
01a20e44-d52d-707d-b8a3-400ea7aed0da	1	01a20e44-cda3-7000-80ce-48d50a9ca59c	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.813+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuUyVCV41jtFdykmpo	01a20e44-d192-7d3c-b47d-34e9cb42631c	
01a20e44-d597-73ff-83cc-5264c055ab75	1	01a20e44-cda3-7000-80ce-48d50a9ca59c	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:21.963+00	0	204	\N		127.0.0.1:46317	f	0	send/353DuWdpNv1uBEY1t3w2v	01a20e44-d5b7-751a-b3c6-0577a8b10b97	
01a20e44-e11e-716f-9645-b0772614e5cc	1	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.241+00	0	204	\N		127.0.0.1:46317	f	1	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e146-7d5d-a972-8f4147c6864c	1	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.241+00	1	204	\N		127.0.0.1:46317	f	1	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e159-7f0d-aa82-42df2c5d8c0c	1	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.241+00	0	204	\N		127.0.0.1:46317	f	1	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e16a-72a8-a81c-b00152fedfec	1	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.241+00	0	204	\N		127.0.0.1:46317	f	1	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e16e-78bd-ba32-f9182ac91a9f	1	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.241+00	0	204	\N		127.0.0.1:46317	f	1	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e17a-7872-bbb8-f3658387dda5	1	01a20e44-cd97-7000-8092-420a9b306d1c	FAILED	whk_20261124_01	2026-11-24 15:55:25.022+00	4	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e190-791d-835a-128250463107	1	01a20e44-cd97-7000-8092-420a9b306d1c	FAILED	whk_20261124_01	2026-11-24 15:55:25.022+00	4	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e199-73ed-bf24-c2ca74471437	1	01a20e44-cd97-7000-8092-420a9b306d1c	FAILED	whk_20261124_01	2026-11-24 15:55:25.022+00	3	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e19d-70db-8133-b1d5666b3513	1	01a20e44-cd97-7000-8092-420a9b306d1c	FAILED	whk_20261124_01	2026-11-24 15:55:25.022+00	1	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e1a1-7236-9cbc-53ad07884894	1	01a20e44-cd97-7000-8092-420a9b306d1c	FAILED	whk_20261124_01	2026-11-24 15:55:25.022+00	5	503	\N	down for maintenance\n	127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e1f3-7154-9b2d-e44b70a575e7	1	01a20e44-cda3-7000-80ce-48d50a9ca59c	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.081+00	2	204	\N		127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e2ca-713a-81e5-bc83ad4ddb50	1	01a20e44-cd9b-7000-809d-9da39051b142	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.336+00	0	204	\N		127.0.0.1:46317	f	1	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e2db-7169-a6ab-5d417358bde7	1	01a20e44-cda3-7000-80ce-48d50a9ca59c	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.312+00	0	204	\N		127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e352-7c54-b6cf-66eca1df29c4	1	01a20e44-cda3-7000-80ce-48d50a9ca59c	SUCCEEDED	whk_20261124_01	2026-11-24 15:55:25.404+00	0	204	\N		127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
01a20e44-e380-7742-849a-66e3350e3cdc	1	01a20e44-cd8c-7000-80d2-daa5a911c309	SUCCEEDED	whk_20261124_02	2026-11-24 15:55:25.453+00	0	204	\N		127.0.0.1:46317	f	0	send/353DubS7KNCAkR0EDAvH5	01a20e44-e1b7-7ace-a17c-cccfdcb67f0a	
\.

COPY webhook_delivery (id, account_id, event_id, endpoint_id, of_notice, replay, state, attempt_count, round_attempts, next_attempt_at, asked_at, last_error, created_at, updated_at) FROM stdin;
01a20e44-cdaf-7202-913d-357fc8b3586b	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-cdaf-7219-9212-f2b429e30586	01a20e44-cda3-7000-80ce-48d50a9ca59c	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:19.853+00	2026-11-24 15:55:20.331+00
01a20e44-d186-7d93-8344-af706983653f	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d186-7d8f-82d7-f132b742e942	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:20.837+00	2026-11-24 15:55:21.023+00
01a20e44-d186-7d95-ace1-45ec75d046ba	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d186-7d8f-82d7-f132b742e942	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 15:55:20.837+00	2026-11-24 15:55:25.393+00
01a20e44-d186-7daf-9f13-72473bd35116	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d186-7dae-a467-dd02f166f9f6	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:20.837+00	2026-11-24 15:55:21.023+00
01a20e44-d186-7db0-8d50-5c4d8d4c20c5	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d186-7dae-a467-dd02f166f9f6	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 15:55:20.837+00	2026-11-24 15:55:25.312+00
01a20e44-d1c2-7bff-8cd8-cada379a5a20	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d1c2-7bfc-a805-d28e8c337837	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:20.898+00	2026-11-24 15:55:21.015+00
01a20e44-d27d-764f-b29e-c75aad529a04	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d27d-764d-891e-525409e5a154	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.043+00	2026-11-24 15:55:21.128+00
01a20e44-d2b6-77a6-9a7e-6abefc103c28	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d2b6-77a2-90bf-e4609d396f28	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.141+00	2026-11-24 15:55:21.18+00
01a20e44-d2c5-7870-87b1-5322aebee3a8	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d2c5-786d-acc0-a8a95d335c15	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.156+00	2026-11-24 15:55:21.369+00
01a20e44-d2d1-7f38-a7b5-7bdc24a1cd05	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d2d1-7f34-b873-7088e2076702	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.167+00	2026-11-24 15:55:21.339+00
01a20e44-d2f3-74ea-bd29-9e9660c5fb14	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d2f3-74e5-b31d-8717d31279e3	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.202+00	2026-11-24 15:55:21.369+00
01a20e44-d363-75e0-8a77-f408d2cb2899	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d363-75dc-9d3e-fa6f2e572309	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.315+00	2026-11-24 15:55:21.369+00
01a20e44-d392-7276-9455-b13945b2e9eb	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d392-7275-9bb5-85bc6b6f19d6	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.361+00	2026-11-24 15:55:21.403+00
01a20e44-d3a7-72e4-a7b7-d1ce0e57bff4	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3a7-72df-b2aa-7f8488d58513	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.382+00	2026-11-24 15:55:21.455+00
01a20e44-d3a7-72e5-aa64-1257fd472445	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3a7-72df-b2aa-7f8488d58513	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 15:55:21.382+00	2026-11-24 15:55:25.393+00
01a20e44-d3b7-7760-a982-7abe68b219bd	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3b7-775c-a1f8-f399b6b70a94	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.399+00	2026-11-24 15:55:21.427+00
01a20e44-d3b7-7762-bccb-f00d44edc5e8	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3b7-775c-a1f8-f399b6b70a94	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 15:55:21.399+00	2026-11-24 15:55:25.393+00
01a20e44-d3b7-7782-9b32-062a81175db2	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3b7-7781-bb53-1a3fe04edac1	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.399+00	2026-11-24 15:55:21.455+00
01a20e44-d3b7-7783-a55d-f25bcbac6010	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3b7-7781-bb53-1a3fe04edac1	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 15:55:21.399+00	2026-11-24 15:55:25.301+00
01a20e44-d3bd-7219-b87a-0bf370762a1f	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3bd-7215-b3ab-3b4512c7de46	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.404+00	2026-11-24 15:55:21.48+00
01a20e44-d3bd-721a-8241-aabff0bead18	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3bd-7215-b3ab-3b4512c7de46	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 15:55:21.404+00	2026-11-24 15:55:25.393+00
01a20e44-d3bd-7231-852a-6337891f6cd7	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3bd-7230-9747-a269ff57d1cf	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.404+00	2026-11-24 15:55:21.48+00
01a20e44-d3bd-7232-bc57-f647f7e2b83a	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d3bd-7230-9747-a269ff57d1cf	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 15:55:21.404+00	2026-11-24 15:55:25.312+00
01a20e44-d41e-7191-b4e6-83d34ffab92b	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d41e-718e-a11e-12791d17908b	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.502+00	2026-11-24 15:55:21.538+00
01a20e44-d448-7d86-91dc-227083b2994e	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d448-7d85-b08a-81ff55ef4969	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.543+00	2026-11-24 15:55:21.621+00
01a20e44-d47e-798f-8e6c-e8768999cbeb	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d47e-798c-88cf-e9028217f2ff	01a20e44-cd8c-7000-80d2-daa5a911c309	f	t	DELIVERED	2	1	\N	\N	\N	2026-11-24 15:55:21.598+00	2026-11-24 15:55:26.253+00
01a20e44-d47e-7990-a7b9-4f2252f1bc03	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d47e-798c-88cf-e9028217f2ff	01a20e44-cd97-7000-8092-420a9b306d1c	f	f	RETRYING	1	1	2026-11-24 15:55:36.823+00	\N	HTTP 503	2026-11-24 15:55:21.598+00	2026-11-24 15:55:21.823+00
01a20e44-d47e-7991-9e3c-97942cb801d1	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d47e-798c-88cf-e9028217f2ff	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 15:55:21.598+00	2026-11-24 15:55:25.312+00
01a20e44-d47e-7992-9d6d-618303c674b4	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d47e-798c-88cf-e9028217f2ff	01a20e44-cda7-7000-8083-59f027da7176	f	f	HELD	0	0	\N	\N	\N	2026-11-24 15:55:21.598+00	2026-11-24 15:55:21.599+00
01a20e44-d4db-719b-bdd2-4589b5a28995	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d4db-7197-858e-e51890bdb09f	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.69+00	2026-11-24 15:55:21.765+00
01a20e44-d4db-719d-9115-41e28ec958e4	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d4db-7197-858e-e51890bdb09f	01a20e44-cd9f-7000-809e-5e6e0a9db9a5	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-24 15:55:21.69+00	2026-11-24 15:55:25.393+00
01a20e44-d4db-71b1-a8e7-cb0781f53fdb	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d4db-71b0-817e-8117f75a92f4	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.69+00	2026-11-24 15:55:21.765+00
01a20e44-d4db-71b2-b7e9-859d072987ac	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d4db-71b0-817e-8117f75a92f4	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-24 15:55:21.69+00	2026-11-24 15:55:25.312+00
01a20e44-d52d-707d-b8a3-400ea7aed0da	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d52d-7092-9268-b25ed4f73619	01a20e44-cda3-7000-80ce-48d50a9ca59c	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.772+00	2026-11-24 15:55:21.829+00
01a20e44-d597-73ff-83cc-5264c055ab75	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d597-7415-91c9-a363a99a47a4	01a20e44-cda3-7000-80ce-48d50a9ca59c	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:21.879+00	2026-11-24 15:55:21.984+00
01a20e44-e11e-716f-9645-b0772614e5cc	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e11e-716b-acf0-e61ec2dcfc5a	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:24.828+00	2026-11-24 15:55:25.301+00
01a20e44-e146-7d5d-a972-8f4147c6864c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e146-7d5b-b791-4c948fea6e50	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:24.87+00	2026-11-24 15:55:25.301+00
01a20e44-e159-7f0d-aa82-42df2c5d8c0c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e159-7f0a-8f4c-a4bd5ba2ba82	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:24.885+00	2026-11-24 15:55:25.301+00
01a20e44-e16a-72a8-a81c-b00152fedfec	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e16a-72a5-aca0-b85f44c502d9	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:24.905+00	2026-11-24 15:55:25.301+00
01a20e44-e16e-78bd-ba32-f9182ac91a9f	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e16e-78a2-b4d2-ab508d154022	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:24.909+00	2026-11-24 15:55:25.274+00
01a20e44-e17a-7872-bbb8-f3658387dda5	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e17a-786f-98ad-916d8ec02635	01a20e44-cd97-7000-8092-420a9b306d1c	f	f	RETRYING	1	1	2026-11-24 15:55:40.042+00	\N	HTTP 503	2026-11-24 15:55:24.92+00	2026-11-24 15:55:25.042+00
01a20e44-e190-791d-835a-128250463107	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e190-791a-821b-262703d3e218	01a20e44-cd97-7000-8092-420a9b306d1c	f	f	RETRYING	1	1	2026-11-24 15:55:40.042+00	\N	HTTP 503	2026-11-24 15:55:24.943+00	2026-11-24 15:55:25.042+00
01a20e44-e199-73ed-bf24-c2ca74471437	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e199-73ea-9c0e-9e5d72f929cb	01a20e44-cd97-7000-8092-420a9b306d1c	f	f	RETRYING	1	1	2026-11-24 15:55:40.042+00	\N	HTTP 503	2026-11-24 15:55:24.952+00	2026-11-24 15:55:25.042+00
01a20e44-e19d-70db-8133-b1d5666b3513	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e19d-70d8-85f2-d55be2742e71	01a20e44-cd97-7000-8092-420a9b306d1c	f	f	RETRYING	1	1	2026-11-24 15:55:40.034+00	\N	HTTP 503	2026-11-24 15:55:24.956+00	2026-11-24 15:55:25.034+00
01a20e44-e1a1-7236-9cbc-53ad07884894	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e1a1-7233-8d5e-fdc78c6f1a52	01a20e44-cd97-7000-8092-420a9b306d1c	f	f	RETRYING	1	0	2026-11-24 15:55:26.455+00	2026-11-24 15:55:26.455+00	HTTP 503	2026-11-24 15:55:24.96+00	2026-11-24 15:55:26.455+00
01a20e44-e1f3-7154-9b2d-e44b70a575e7	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e1f3-7168-a6d8-eeb1d6a39ae3	01a20e44-cda3-7000-80ce-48d50a9ca59c	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:25.042+00	2026-11-24 15:55:25.121+00
01a20e44-e2ca-713a-81e5-bc83ad4ddb50	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e2ca-7136-b316-b8a3b9a9b887	01a20e44-cd9b-7000-809d-9da39051b142	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:25.257+00	2026-11-24 15:55:25.346+00
01a20e44-e2db-7169-a6ab-5d417358bde7	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e2db-717d-81c8-8d529668c5b7	01a20e44-cda3-7000-80ce-48d50a9ca59c	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:25.274+00	2026-11-24 15:55:25.32+00
01a20e44-e34a-780a-9e8b-c29bc997ac53	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e34a-7806-9e61-703ac9df4df3	01a20e44-cd97-7000-8092-420a9b306d1c	f	f	FAILED	0	0	\N	\N	given up with webhook.delivery.cancel	2026-11-24 15:55:25.386+00	2026-11-24 15:55:25.394+00
01a20e44-e352-7c54-b6cf-66eca1df29c4	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e352-7c69-ac2d-61edce40fd60	01a20e44-cda3-7000-80ce-48d50a9ca59c	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:25.392+00	2026-11-24 15:55:25.414+00
01a20e44-e380-7742-849a-66e3350e3cdc	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e380-773e-9587-5a1a84f43f55	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-24 15:55:25.439+00	2026-11-24 15:55:25.478+00
01a20e44-e78c-73a1-84bc-e6c94e286a7a	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e78c-739d-8c33-878a08b7ed20	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	PENDING	0	0	2026-11-24 15:55:26.476+00	\N	\N	2026-11-24 15:55:26.475+00	2026-11-24 15:55:26.476+00
01a20e44-e78c-73b9-896c-474624f1baad	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e78c-73b8-8f81-b2947dad9f2a	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	PENDING	0	0	2026-11-24 15:55:26.477+00	\N	\N	2026-11-24 15:55:26.475+00	2026-11-24 15:55:26.477+00
01a20e44-e78c-73ba-9024-decd0220bce7	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e78c-73b8-8f81-b2947dad9f2a	01a20e44-cd9b-7000-809d-9da39051b142	f	f	PENDING	0	0	2026-11-24 15:55:26.477+00	\N	\N	2026-11-24 15:55:26.475+00	2026-11-24 15:55:26.477+00
01a20e44-e793-7d51-bc11-acaeb7c1622f	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e793-7d4e-b3fa-afb3baea796c	01a20e44-cd8c-7000-80d2-daa5a911c309	f	f	PENDING	0	0	2026-11-24 15:55:26.484+00	\N	\N	2026-11-24 15:55:26.483+00	2026-11-24 15:55:26.484+00
01a20e44-e793-7d52-bdde-5b2b7d00547c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e793-7d4e-b3fa-afb3baea796c	01a20e44-cd97-7000-8092-420a9b306d1c	f	f	PENDING	0	0	2026-11-24 15:55:26.484+00	\N	\N	2026-11-24 15:55:26.483+00	2026-11-24 15:55:26.484+00
01a20e44-e793-7d53-b63e-8cb8e03b9f04	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e793-7d4e-b3fa-afb3baea796c	01a20e44-cd9b-7000-809d-9da39051b142	f	f	PENDING	0	0	2026-11-24 15:55:26.484+00	\N	\N	2026-11-24 15:55:26.483+00	2026-11-24 15:55:26.484+00
01a20e44-e793-7d54-ba53-43987b0e9978	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-e793-7d4e-b3fa-afb3baea796c	01a20e44-cda7-7000-8083-59f027da7176	f	f	HELD	0	0	\N	\N	\N	2026-11-24 15:55:26.483+00	2026-11-24 15:55:26.484+00
\.

COPY webhook_endpoint (id, account_id, url, url_key, event_types, description, rate_per_second, concurrency, status, disabled_reason, place, created_at, updated_at, deleted_at, settle_at) FROM stdin;
01a20e44-cd8c-7000-80d2-daa5a911c309	01a20e44-cabd-7ab2-8e9a-4580044fbb02	http://127.0.0.1:46317/well	http://127.0.0.1:46317/well	\N	all events	500	5	ACTIVE	\N	1	2026-11-24 15:55:19.82+00	2026-11-24 15:55:19.82+00	\N	\N
01a20e44-cd97-7000-8092-420a9b306d1c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	http://127.0.0.1:46317/broken	http://127.0.0.1:46317/broken	{WORKFLOW_COMPLETED}	\N	\N	\N	ACTIVE	\N	2	2026-11-24 15:55:19.831+00	2026-11-24 15:55:19.831+00	\N	\N
01a20e44-cd9b-7000-809d-9da39051b142	01a20e44-cabd-7ab2-8e9a-4580044fbb02	http://127.0.0.1:46317/recovered	http://127.0.0.1:46317/recovered	{WORKFLOW_COMPLETED,WORKFLOW_STARTED}	\N	\N	\N	ACTIVE	\N	3	2026-11-24 15:55:19.835+00	2026-11-24 15:55:19.835+00	\N	\N
01a20e44-cd9f-7000-809e-5e6e0a9db9a5	01a20e44-cabd-7ab2-8e9a-4580044fbb02	http://127.0.0.1:46317/given-up	http://127.0.0.1:46317/given-up	{WORKFLOW_CREATED}	\N	\N	\N	ACTIVE	\N	\N	2026-11-24 15:55:19.839+00	2026-11-24 15:55:25.38+00	2026-11-24 15:55:25.38+00	\N
01a20e44-cda3-7000-80ce-48d50a9ca59c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	http://127.0.0.1:46317/notices	http://127.0.0.1:46317/notices	{WEBHOOK_ENDPOINT_FAILING,WEBHOOK_ENDPOINT_DISABLED,WEBHOOK_ENDPOINT_RECOVERED,WEBHOOK_DELIVERY_FAILED}	\N	\N	\N	ACTIVE	\N	5	2026-11-24 15:55:19.843+00	2026-11-24 15:55:19.843+00	\N	\N
01a20e44-cda7-7000-8083-59f027da7176	01a20e44-cabd-7ab2-8e9a-4580044fbb02	http://127.0.0.1:46317/disabled	http://127.0.0.1:46317/disabled	{WORKFLOW_COMPLETED}	\N	\N	\N	DISABLED	Disabled with webhook.config.update.	6	2026-11-24 15:55:19.847+00	2026-11-24 15:55:19.853+00	\N	\N
\.

COPY webhook_endpoint_health (endpoint_id, failures, failing_since, last_error, probe_at, probes, retry_after, recovered_at, epoch, successes_from, slow, told, told_since, opens_at, looks_at, wake_at, wake_lease) FROM stdin;
01a20e44-cd8c-7000-80d2-daa5a911c309	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	2026-11-24 15:55:26.140536+00	\N	\N	\N
01a20e44-cd97-7000-8092-420a9b306d1c	6	2026-11-24 15:55:21.673+00	HTTP 503	2026-11-24 15:55:30.949212+00	0	2026-11-24 15:55:40.042+00	\N	0	0	f	WEBHOOK_ENDPOINT_FAILING	2026-11-24 15:55:21.673+00	\N	2026-11-24 15:55:36.823+00	2026-11-23 15:55:26.455+00	\N
01a20e44-cd9b-7000-809d-9da39051b142	0	\N	\N	\N	0	\N	2026-11-24 15:55:25.142+00	1	0	f	\N	\N	\N	\N	\N	\N
01a20e44-cd9f-7000-809e-5e6e0a9db9a5	5	2026-11-24 15:55:20.946+00	HTTP 503	2026-11-24 15:55:27.271128+00	0	2026-11-24 15:55:36.772+00	\N	1	1	f	WEBHOOK_ENDPOINT_FAILING	2026-11-24 15:55:20.946+00	\N	2026-11-24 15:55:36.038+00	\N	\N
01a20e44-cda3-7000-80ce-48d50a9ca59c	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	\N	\N	\N	\N
01a20e44-cda7-7000-8083-59f027da7176	0	\N	\N	\N	0	\N	\N	1	1	f	WEBHOOK_ENDPOINT_DISABLED	2026-11-24 15:55:19.853+00	\N	\N	\N	\N
\.

COPY webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields, test, epoch, xid, traceparent) FROM stdin;
01a20e44-cd6e-7ab8-ba25-3fd37f9bb33a	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_KEY_ACTIVATED	2026-11-24 15:55:19.789+00	\N	0	back office	API_KEY	{"key_id": "whk_20261124_01"}	f	1	766	00-d413f68633c64cd181b17bf963ef4f97-fa9a11c595a6c0bc-00
01a20e44-cdaf-7219-9212-f2b429e30586	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_ENDPOINT_DISABLED	2026-11-24 15:55:19.853+00	\N	0	back office	API_KEY	{"since": "2026-11-24T15:55:19.853Z", "waiting": 0, "url_host": "127.0.0.1:46317", "config_id": "whc_353DuTOp4CzN9aQU9THmg", "last_error": null, "disabled_reason": "Disabled with webhook.config.update."}	f	1	781	00-1501415b32887e6254910e08daed0f20-4ec768dd03e4de4c-00
01a20e44-d186-7d8f-82d7-f132b742e942	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_CREATED	2026-11-24 15:55:20.837+00	01a20e44-d185-7000-80c4-72b0f1e6443a	1	back office	API_KEY	{"state": "CREATED"}	f	1	802	00-2ffcd6985e99dac5f3f95714e069d598-076e7f370145e757-00
01a20e44-d186-7dae-a467-dd02f166f9f6	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_STARTED	2026-11-24 15:55:20.837+00	01a20e44-d185-7000-80c4-72b0f1e6443a	2	back office	API_KEY	{"state": "STARTED"}	f	1	802	00-2ffcd6985e99dac5f3f95714e069d598-076e7f370145e757-00
01a20e44-d1c2-7bfc-a805-d28e8c337837	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_PRICING_CALCULATED	2026-11-24 15:55:20.898+00	01a20e44-d185-7000-80c4-72b0f1e6443a	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	805	00-091bcc812a048916445554da8c8887df-dc53e06a45f4bc53-00
01a20e44-d27d-764d-891e-525409e5a154	01a20e44-cabd-7ab2-8e9a-4580044fbb02	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 15:55:21.043+00	01a20e44-d185-7000-80c4-72b0f1e6443a	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353DuVHPPawxWVrcH6veX"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuVHPPax1Fhfe1lz8z"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353DuVHPPax4fnkoJ8moD"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353DuVHPPaxCthwatPQ5v"}, {"status": "PENDING", "entity_id": "w_353DuUxKObhC6m6b7m9kY", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353DuVHPPaxFJLkM00g6c"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353DuVHPPaxLFGg7uWpUu"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCQ2y1E1xq7d", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxSyikQkw294"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCSJDmn7uAm5", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxUdKBVRObDE"}], "removed": [], "restored": []}	f	1	814	00-27819c878186a97734243cd2e222b00b-3f8c702e94be6e3a-00
01a20e44-d2b6-77a2-90bf-e4609d396f28	01a20e44-cabd-7ab2-8e9a-4580044fbb02	REQUIRED_DOCUMENT_UPDATED	2026-11-24 15:55:21.141+00	01a20e44-d185-7000-80c4-72b0f1e6443a	5	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "REGISTRATION", "required_document_id": "rd_353DuVHPPawxWVrcH6veX"}	f	1	824	00-f9123eea82fb5b69a748d8d13b05aadc-3ea772d783396d7d-00
01a20e44-d2c5-786d-acc0-a8a95d335c15	01a20e44-cabd-7ab2-8e9a-4580044fbb02	REQUIRED_DOCUMENT_UPDATED	2026-11-24 15:55:21.156+00	01a20e44-d185-7000-80c4-72b0f1e6443a	6	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuVHPPax1Fhfe1lz8z"}	f	1	828	00-6354819232cb91e826e5f67615820732-8d898ce3772a563d-00
01a20e44-d2d1-7f34-b873-7088e2076702	01a20e44-cabd-7ab2-8e9a-4580044fbb02	REQUIRED_DOCUMENT_UPDATED	2026-11-24 15:55:21.167+00	01a20e44-d185-7000-80c4-72b0f1e6443a	7	back office	API_KEY	{"status": "COMPLETED", "previous_status": "NEEDS_REVIEW", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuVHPPax1Fhfe1lz8z"}	f	1	832	00-77b5c4ece6c99a14099783a743bf12cc-40863b39683344a1-00
01a20e44-d2f3-74e5-b31d-8717d31279e3	01a20e44-cabd-7ab2-8e9a-4580044fbb02	REQUIRED_DOCUMENT_UPDATED	2026-11-24 15:55:21.202+00	01a20e44-d185-7000-80c4-72b0f1e6443a	8	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxUdKBVRObDE"}	f	1	836	00-4401705065f4a52c444867ecb8ac2730-36387d9a652a2403-00
01a20e44-d363-75dc-9d3e-fa6f2e572309	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_PRICING_CALCULATED	2026-11-24 15:55:21.315+00	01a20e44-d185-7000-80c4-72b0f1e6443a	9	back office	API_KEY	{"evaluation_score": 600.375}	f	1	844	00-d1aae4428e3f8be0cb2edb4b2ce5654e-1ec1c138c21be554-00
01a20e44-d392-7275-9bb5-85bc6b6f19d6	01a20e44-cabd-7ab2-8e9a-4580044fbb02	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 15:55:21.361+00	01a20e44-d185-7000-80c4-72b0f1e6443a	10	back office	API_KEY	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353DuVHPPawxWVrcH6veX"}, {"status": "COMPLETED", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuVHPPax1Fhfe1lz8z"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353DuVHPPax4fnkoJ8moD"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353DuVHPPaxCthwatPQ5v"}, {"status": "PENDING", "entity_id": "w_353DuUxKObhC6m6b7m9kY", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353DuVHPPaxFJLkM00g6c"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353DuVHPPaxLFGg7uWpUu"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCQ2y1E1xq7d", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxSyikQkw294"}], "added": [], "removed": [{"status": "INACTIVE", "entity_id": "p_353DuUqbNNCSJDmn7uAm5", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuVHPPaxUdKBVRObDE"}], "restored": []}	f	1	849	00-18397eec9e9a7c490cb2938e1eb6ae3b-3cffba37efd6d11a-00
01a20e44-d3a7-72df-b2aa-7f8488d58513	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_CREATED	2026-11-24 15:55:21.382+00	01a20e44-d3a6-7000-8081-bbcdf83535d6	1	back office	API_KEY	{"state": "CREATED"}	f	1	855	00-9a6583a3d071a7ad094839a0c2f9abdf-8306701d5374e95e-00
01a20e44-d3b7-775c-a1f8-f399b6b70a94	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_CREATED	2026-11-24 15:55:21.399+00	01a20e44-d3b7-7000-807b-3b265cf2dc43	1	back office	API_KEY	{"state": "CREATED"}	f	1	859	00-fed7b2f584fae4475a3b5654f41df913-d10e3e348a636921-00
01a20e44-d3b7-7781-bb53-1a3fe04edac1	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_STARTED	2026-11-24 15:55:21.399+00	01a20e44-d3b7-7000-807b-3b265cf2dc43	2	back office	API_KEY	{"state": "STARTED"}	f	1	859	00-fed7b2f584fae4475a3b5654f41df913-d10e3e348a636921-00
01a20e44-d3bd-7215-b3ab-3b4512c7de46	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_CREATED	2026-11-24 15:55:21.404+00	01a20e44-d3bc-7000-80ca-2afc276244e5	1	back office	API_KEY	{"state": "CREATED"}	f	1	863	00-7723fdd8af3041ce70e1cbac44d4c18c-7dca97aa9d58299f-00
01a20e44-d3bd-7230-9747-a269ff57d1cf	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_STARTED	2026-11-24 15:55:21.404+00	01a20e44-d3bc-7000-80ca-2afc276244e5	2	back office	API_KEY	{"state": "STARTED"}	f	1	863	00-7723fdd8af3041ce70e1cbac44d4c18c-7dca97aa9d58299f-00
01a20e44-d41e-718e-a11e-12791d17908b	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_PRICING_CALCULATED	2026-11-24 15:55:21.502+00	01a20e44-d3bc-7000-80ca-2afc276244e5	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	875	00-b2fa154a422ca8617444ef2a50d72cad-4ce76e36ae823c65-00
01a20e44-d448-7d85-b08a-81ff55ef4969	01a20e44-cabd-7ab2-8e9a-4580044fbb02	REQUIRED_DOCUMENTS_CALCULATED	2026-11-24 15:55:21.543+00	01a20e44-d3bc-7000-80ca-2afc276244e5	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353DuW49IMUvhP81wS2av"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353DuW49IMV0B7PHFUjMM"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353DuW49IMV5W9r3iZIvO"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353DuW49IMVEyrfyAQOLU"}, {"status": "PENDING", "entity_id": "w_353DuVqbDBGQXnoejXpQ5", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353DuW49IMVKVByWMM3IB"}, {"status": "PENDING", "entity_id": "b_353DuUqbNNCJmgHJCclXx", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353DuW49IMVO9XVAYypfK"}, {"status": "PENDING", "entity_id": "p_353DuUqbNNCQ2y1E1xq7d", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353DuW49IMVSQA8pGr44c"}], "removed": [], "restored": []}	f	1	885	00-061392bc3e0a52793a0fb8a6587a4271-6151a6917382d6ab-00
01a20e44-d47e-798c-88cf-e9028217f2ff	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_COMPLETED	2026-11-24 15:55:21.598+00	01a20e44-d3bc-7000-80ca-2afc276244e5	5	back office	API_KEY	{"state": "ENDED"}	f	1	889	00-e9597c7a2830b88e4ca14bda59c1f23a-c9895bbcd464faac-00
01a20e44-d4db-7197-858e-e51890bdb09f	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_CREATED	2026-11-24 15:55:21.69+00	01a20e44-d4da-7000-80ad-b48647a56983	1	back office	API_KEY	{"state": "CREATED"}	f	1	901	00-8a5c48f57d5135741b280ac51b0f47e6-cfc681898659c81e-00
01a20e44-d4db-71b0-817e-8117f75a92f4	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_STARTED	2026-11-24 15:55:21.69+00	01a20e44-d4da-7000-80ad-b48647a56983	2	back office	API_KEY	{"state": "STARTED"}	f	1	901	00-8a5c48f57d5135741b280ac51b0f47e6-cfc681898659c81e-00
01a20e44-d52d-7092-9268-b25ed4f73619	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_ENDPOINT_FAILING	2026-11-24 15:55:21.772+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T15:55:20.946Z", "waiting": 5, "url_host": "127.0.0.1:46317", "config_id": "whc_353DuTO2iV4mzWdNRnfzp", "last_error": "HTTP 503"}	f	1	907	00-8a5c48f57d5135741b280ac51b0f47e6-cfc681898659c81e-00
01a20e44-d597-7415-91c9-a363a99a47a4	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_ENDPOINT_FAILING	2026-11-24 15:55:21.879+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T15:55:20.946Z", "waiting": 5, "url_host": "127.0.0.1:46317", "config_id": "whc_353DuTNeXe7Uc6ooGEgz4", "last_error": "the connection was closed before the whole answer had come"}	f	1	918	00-8a5c48f57d5135741b280ac51b0f47e6-cfc681898659c81e-00
01a20e44-e11e-716b-acf0-e61ec2dcfc5a	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.828+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNeXe7Uc6ooGEgz4"}	t	1	930	00-9a8c095304ae7075d672387fd9cf16cc-8136034c28150d2f-00
01a20e44-e146-7d5b-b791-4c948fea6e50	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.87+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNeXe7Uc6ooGEgz4"}	t	1	933	00-c64473c19ca5da3ae3c3e5ac27cb7b4f-fb979cf6c1ba2104-00
01a20e44-e159-7f0a-8f4c-a4bd5ba2ba82	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.885+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNeXe7Uc6ooGEgz4"}	t	1	936	00-5dd2d13cf465c0957c48f80f35edbb19-2003684ce82d6edf-00
01a20e44-e16a-72a5-aca0-b85f44c502d9	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.905+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNeXe7Uc6ooGEgz4"}	t	1	938	00-48ebaaa9f53c353e594140b74b7ae6a8-97201a5795816a2a-00
01a20e44-e16e-78a2-b4d2-ab508d154022	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.909+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNeXe7Uc6ooGEgz4"}	t	1	940	00-f5f22050f77165b43e9305e6ed67080e-cbb4042a090d3576-00
01a20e44-e17a-786f-98ad-916d8ec02635	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.92+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNGMnAC11OK5spi8"}	t	1	945	00-dfebf42dd3d250c6e9b820d705cecc6f-27128464c26b7e2d-00
01a20e44-e190-791a-821b-262703d3e218	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.943+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNGMnAC11OK5spi8"}	t	1	948	00-7d6cdb741430f8f2b981b6f1eb6dfe77-6626810558e83062-00
01a20e44-e199-73ea-9c0e-9e5d72f929cb	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.952+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNGMnAC11OK5spi8"}	t	1	951	00-c5af17fed50100c27332f91314fbb8b5-65e471259297773a-00
01a20e44-e19d-70d8-85f2-d55be2742e71	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.956+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNGMnAC11OK5spi8"}	t	1	954	00-4cb9b3b53c44be93aa913e9201a03212-1e3ca0eac0e6881f-00
01a20e44-e1a1-7233-8d5e-fdc78c6f1a52	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:24.96+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNGMnAC11OK5spi8"}	t	1	957	00-fe5cbfd1376c8a16429334a6fe98e005-c9776b9df16db527-00
01a20e44-e1f3-7168-a6d8-eeb1d6a39ae3	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_ENDPOINT_FAILING	2026-11-24 15:55:25.042+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T15:55:21.673Z", "waiting": 6, "url_host": "127.0.0.1:46317", "config_id": "whc_353DuTNGMnAC11OK5spi8", "last_error": "HTTP 503"}	f	1	964	00-7d6cdb741430f8f2b981b6f1eb6dfe77-6626810558e83062-00
01a20e44-e2ca-7136-b316-b8a3b9a9b887	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:25.257+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNeXe7Uc6ooGEgz4"}	t	1	982	00-579b76440264482a240b2a0c1b306c99-a0a1a2c112280a8f-00
01a20e44-e2db-717d-81c8-8d529668c5b7	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_ENDPOINT_RECOVERED	2026-11-24 15:55:25.274+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-24T15:55:20.946Z", "waiting": 10, "url_host": "127.0.0.1:46317", "config_id": "whc_353DuTNeXe7Uc6ooGEgz4", "last_error": null}	f	1	985	00-f5f22050f77165b43e9305e6ed67080e-cbb4042a090d3576-00
01a20e44-e34a-7806-9e61-703ac9df4df3	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_TEST	2026-11-24 15:55:25.386+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353DuTNGMnAC11OK5spi8"}	t	1	1007	00-c1ee4b78ebbe111356217217cfc7ebc8-410f2213a8395f7c-00
01a20e44-e352-7c69-ac2d-61edce40fd60	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_DELIVERY_FAILED	2026-11-24 15:55:25.392+00	\N	0	back office	API_KEY	{"event_id": "wh_353Duc6lgDWdGUOfVsl8d", "config_id": "whc_353DuTNGMnAC11OK5spi8", "last_error": "given up with webhook.delivery.cancel", "delivery_id": "whd_353Duc6lgEwYsBPQtEjH1", "attempt_count": 0}	f	1	1013	00-1c87cc41ba2b911c4293d1bdb4cafbc7-3249407a2c972b23-00
01a20e44-e380-773e-9587-5a1a84f43f55	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WEBHOOK_KEY_ACTIVATED	2026-11-24 15:55:25.439+00	\N	0	back office	API_KEY	{"key_id": "whk_20261124_02"}	f	1	1024	00-d7dc1c768e368392eed9db5f8c8c0461-bf28d40245b3bbd5-00
01a20e44-e78c-739d-8c33-878a08b7ed20	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_CREATED	2026-11-24 15:55:26.475+00	01a20e44-e78b-7000-805c-ef3a3d7db551	1	back office	API_KEY	{"state": "CREATED"}	f	1	1078	00-9a4186ffe69b37a814a9897832fd93fa-1b43d5372eecb599-00
01a20e44-e78c-73b8-8f81-b2947dad9f2a	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_STARTED	2026-11-24 15:55:26.475+00	01a20e44-e78b-7000-805c-ef3a3d7db551	2	back office	API_KEY	{"state": "STARTED"}	f	1	1078	00-9a4186ffe69b37a814a9897832fd93fa-1b43d5372eecb599-00
01a20e44-e793-7d4e-b3fa-afb3baea796c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	WORKFLOW_COMPLETED	2026-11-24 15:55:26.483+00	01a20e44-e78b-7000-805c-ef3a3d7db551	3	back office	API_KEY	{"state": "ENDED"}	f	1	1082	00-64ad57159b2a4e300b710ae59f0a4da3-68ec6e307709a0ac-00
\.

COPY webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, revealed_at, activated_at, deleted_at) FROM stdin;
01a20e44-cabd-7ab2-8e9a-4580044fbb02	whk_20261124_01	2026-11-24	1	DELETED	\\x01e43840f6b85ecc6788e1a6755e0247f0ad898bc2ddd167b3967284faaca474339209758f961b2c47c6a9b098880e9e9fe449003f70e994936f261f238a21483994be421283640f4d4cf1e8a1	2026-11-24 15:55:19.734+00	2026-11-24 15:55:19.753+00	2026-11-24 15:55:19.789+00	2026-11-24 15:55:25.439+00
01a20e44-cabd-7ab2-8e9a-4580044fbb02	whk_20261124_02	2026-11-24	2	ACTIVE	\\x01e43840f68e1305955c559885099fea77f69e238fac73b2e6ac32938898fc6e8d4f04b3c59ec0df101c17fac20c19adc763d8f58871a7657c9f998b5077725154b5c4c661f90d212ca3ede7a2	2026-11-24 15:55:25.406+00	2026-11-24 15:55:25.421+00	2026-11-24 15:55:25.439+00	\N
01a20e44-cabd-7ab2-8e9a-4580044fbb02	whk_20261124_03	2026-11-24	3	INACTIVE	\\x01e43840f64bf4f5fb5b46ec450d79696c19dd4c2f650cf877985a438efce2eda56c4b6b9a376fadd6254c7cc5b32920dd6cb63023f93ad4858132480a7a1eba9b3b83ab308b61840b196488d5	2026-11-24 15:55:25.455+00	2026-11-24 15:55:25.484+00	\N	\N
\.

COPY webhook_key_day (account_id, day, n) FROM stdin;
01a20e44-cabd-7ab2-8e9a-4580044fbb02	2026-11-24	3
\.

COPY webhook_ready (endpoint_id, account_id, closed, turn, paced_until) FROM stdin;
01a20e44-cd8c-7000-80d2-daa5a911c309	01a20e44-cabd-7ab2-8e9a-4580044fbb02	f	-infinity	\N
01a20e44-cd97-7000-8092-420a9b306d1c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	t	2026-11-24 15:55:25.022+00	\N
01a20e44-cd9b-7000-809d-9da39051b142	01a20e44-cabd-7ab2-8e9a-4580044fbb02	f	-infinity	\N
01a20e44-cd9f-7000-809e-5e6e0a9db9a5	01a20e44-cabd-7ab2-8e9a-4580044fbb02	t	2026-11-24 15:55:21.673+00	\N
\.

COPY webhook_replay (id, account_id, endpoint_id, since, until, event_types, state, looked_at, counted, done, total, traceparent, started_at, ended_at, lease) FROM stdin;
01a20e44-e3b2-7000-8042-b0dc50084f2c	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-cd8c-7000-80d2-daa5a911c309	2026-01-01 00:00:00+00	2026-11-24 15:55:25.491+00	{WORKFLOW_COMPLETED}	COMPLETED	01a20e44-e380-773e-9587-5a1a84f43f55	t	1	1	00-fa17b690589f7c6be24440746879a89e-31b29335f9a32fbb-00	2026-11-24 15:55:25.49+00	2026-11-24 15:55:26.169+00	2026-11-24 16:00:26.169+00
\.

COPY workflow (id, account_id, business_id, state, evaluation_score, score_calculated_at, score_facts, version, documents_calculated_at, documents_workflow_version, documents_business_version, documents_rule_set_id, event_sequence, created_at, started_at, ended_at, updated_at) FROM stdin;
01a20e44-d185-7000-80c4-72b0f1e6443a	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d140-7000-8090-8c08d66f4665	STARTED	600.375000	2026-11-24 15:55:21.315+00	324e8e4755960540bfaf6ad3f2dfdb39707a4884dff0194a0c8f20eee9e32583	3	2026-11-24 15:55:21.361+00	3	2	01a20e44-d136-7000-8055-9583c4133002	10	2026-11-24 15:55:20.837+00	2026-11-24 15:55:20.837+00	\N	2026-11-24 15:55:21.315+00
01a20e44-d3a6-7000-8081-bbcdf83535d6	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d140-7000-8090-8c08d66f4665	CREATED	\N	\N	\N	1	\N	\N	\N	\N	1	2026-11-24 15:55:21.382+00	\N	\N	2026-11-24 15:55:21.382+00
01a20e44-d3b7-7000-807b-3b265cf2dc43	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d17f-7000-8004-2a847627762c	STARTED	\N	\N	\N	1	\N	\N	\N	\N	2	2026-11-24 15:55:21.399+00	2026-11-24 15:55:21.399+00	\N	2026-11-24 15:55:21.399+00
01a20e44-d3bc-7000-80ca-2afc276244e5	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d140-7000-8090-8c08d66f4665	ENDED	600.375000	2026-11-24 15:55:21.502+00	324e8e4755960540bfaf6ad3f2dfdb39707a4884dff0194a0c8f20eee9e32583	2	2026-11-24 15:55:21.543+00	2	2	01a20e44-d136-7000-8055-9583c4133002	5	2026-11-24 15:55:21.404+00	2026-11-24 15:55:21.404+00	2026-11-24 15:55:21.598+00	2026-11-24 15:55:21.598+00
01a20e44-d4da-7000-80ad-b48647a56983	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d4c5-7000-80c3-e3f7cbc44f77	STARTED	\N	\N	\N	2	\N	\N	\N	\N	2	2026-11-24 15:55:21.69+00	2026-11-24 15:55:21.69+00	\N	2026-11-24 15:55:21.69+00
01a20e44-e78b-7000-805c-ef3a3d7db551	01a20e44-cabd-7ab2-8e9a-4580044fbb02	01a20e44-d182-7000-80e7-5fde9c062ee4	ENDED	\N	\N	\N	1	\N	\N	\N	\N	3	2026-11-24 15:55:26.475+00	2026-11-24 15:55:26.475+00	2026-11-24 15:55:26.483+00	2026-11-24 15:55:26.483+00
\.

